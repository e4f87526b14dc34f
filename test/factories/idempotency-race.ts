import type { LayoutName, Mode } from "@/lib/idempotency";
import type { TestDatabase } from "@/test/postgres";
import { newOrder, type Order, place, startProvider, startService } from "./idempotency-service";
import { happened } from "./idempotency-truth";

export interface RaceSize {
  processes: number;
  keys: number;
  /** Requests that each process gets for each key. */
  duplicates: number;
}

export interface RaceResult {
  /** Requests by what they were told: `first`, `replay`, a problem code, or the bare status. */
  told: Map<string, number>;
  /** Orders that did not happen exactly once. */
  wrong: string[];
}

const keysAtOnce = 4;
const modes: Mode[] = ["atomic", "separate", "external"];

/** Sends every key many times at once to several real processes on one database, and counts what happened. */
export async function race(database: TestDatabase, layout: LayoutName, size: RaceSize): Promise<RaceResult> {
  const provider = await startProvider();
  const services = await Promise.all(
    Array.from({ length: size.processes }, () => startService({ database, layout, provider })),
  );
  const orders = Array.from({ length: size.keys }, (_, index) => newOrder(modes[index % modes.length] ?? "atomic"));
  const told = new Map<string, number>();
  try {
    for (let at = 0; at < orders.length; at += keysAtOnce) {
      const batch = orders.slice(at, at + keysAtOnce).flatMap((order) => repeated(order, size.duplicates));
      await Promise.all(
        batch.flatMap((order) => services.map(async (service) => count(told, await place(service, order)))),
      );
    }
    const wrong: string[] = [];
    for (const order of orders) {
      const times = (await happened(database, provider, order)).length;
      if (times !== 1) wrong.push(`${order.mode} ${order.key}: ${times} times`);
    }
    return { told, wrong };
  } finally {
    await Promise.all([provider, ...services].map((child) => child.stop()));
  }
}

function repeated(order: Order, times: number): Order[] {
  return Array.from({ length: times }, () => order);
}

function count(told: Map<string, number>, answer: Awaited<ReturnType<typeof place>>): void {
  const word = !answer ? "no answer" : (answer.code ?? (answer.replayed ? "replay" : wordOf(answer.status)));
  told.set(word, (told.get(word) ?? 0) + 1);
}

function wordOf(status: number): string {
  return status === 201 ? "first" : String(status);
}
