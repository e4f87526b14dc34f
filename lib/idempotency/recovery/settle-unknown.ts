import type { Facts } from "../events";
import { type KeepRules, packResponse } from "../response/pack";
import type { Sql } from "../sql";
import type { Claim } from "../store/rows";
import { defaultLimit, type PassOptions, tell } from "./tell";

/** What a provider's answer amounts to. Only the first two settle anything; absence is never proof by itself. */
export type Finding =
  | "found_succeeded"
  | "found_declined"
  | "found_pending"
  | "not_found"
  | "unparseable"
  | "unreachable";

export interface ProviderAnswer extends Facts {
  finding: Finding;
}

export interface SettleOptions<A extends ProviderAnswer> extends PassOptions {
  /** Looks the operation up at the provider, read-only: asking is never sending again. Null for endpoints it does not know. */
  ask: (claim: Claim) => Promise<A | null>;
  /** Writes the missing business record and makes the response to store, in the completing transaction. */
  settle: (tx: Sql, claim: Claim, answer: A) => Promise<Response>;
  keep?: KeepRules;
}

/** Settles what the provider can answer for; the rest stays `unknown`. Returns how many rows were completed. */
export async function settleUnknown<A extends ProviderAnswer>(options: SettleOptions<A>): Promise<number> {
  let settled = 0;
  for (const claim of await options.store.open(options.db, "unknown", options.limit ?? defaultLimit)) {
    try {
      const answer = await options.ask(claim);
      if (!answer || !isFinal(answer.finding)) continue;
      if (await options.db.transaction((tx) => settleOne(options, tx, claim, answer))) settled++;
    } catch (error) {
      options.report?.(error);
    }
  }
  return settled;
}

function isFinal(finding: Finding): boolean {
  return finding === "found_succeeded" || finding === "found_declined";
}

/** False when the row was settled by somebody else while the provider was asked. */
async function settleOne<A extends ProviderAnswer>(
  options: SettleOptions<A>,
  tx: Sql,
  claim: Claim,
  answer: A,
): Promise<boolean> {
  const { store } = options;
  await store.lock(tx, claim);
  if (!(await store.retake(tx, claim, "unknown"))) return false;
  const { stored } = await packResponse(await options.settle(tx, claim, answer), claim, options.keep ?? {});
  const at = await store.complete(tx, claim, stored, "unknown");
  const { amount, currency, references, customer, providerReference } = answer;
  const facts = { amount, currency, references, customer, providerReference };
  const more = { ...facts, state: "completed", responseStatus: stored.status } as const;
  await tell(options, tx, claim, at, [["recovered", more]]);
  return true;
}
