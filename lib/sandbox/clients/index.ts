import { careless } from "./careless";
import { honest } from "./honest";
import { impatient } from "./impatient";
import type { ClientKind } from "./kind";
import { refused } from "./refused";
import { unlucky } from "./unlucky";

export type { ClientKind, Expected, PlannedAttempt, Resource } from "./kind";
export { Pen, type Shop } from "./pen";

/** Every kind of client the sandbox knows. History and live traffic are told by the same descriptions. */
export const clientKinds: readonly ClientKind[] = [...honest, ...impatient, ...careless, ...unlucky, ...refused];

/** Kinds whose story is over when its last attempt was answered: what live traffic sends. */
export const closedKinds: readonly ClientKind[] = clientKinds.filter(({ openAtEndMs }) => openAtEndMs === undefined);
/** Kinds that only the end of a history shows. */
export const openKinds: readonly ClientKind[] = clientKinds.filter(({ openAtEndMs }) => openAtEndMs !== undefined);
