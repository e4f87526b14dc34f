import "server-only";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { consume, tryConsume } from "@/lib/http/limits";
import { route } from "@/lib/http/route";
import { type Desk, openDesk, send } from "../desk";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ IDEMDESK_LIMITS: "search=3/60,reveal=2/60" });
});
afterAll(() => desk.close());

const limited = (limit: "search" | "reveal") =>
  route(
    { method: "GET", path: "/api/v1/test", summary: "test", right: "desk.use", limit, output: z.object({}) },
    () => ({}),
  );

test.each([
  ["search", 3],
  ["reveal", 2],
] as const)("%s is limited per caller, by the configured number", async (limit, count) => {
  const [one, other] = [await desk.operator("support"), await desk.operator("support")];
  const ask = (token: string) => send(limited(limit), {}, { token });
  for (let times = 0; times < count; times++) expect((await ask(one.token)).status).toBe(200);
  const refused = await ask(one.token);
  expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited", retryable: true } });
  const wait = Number(refused.headers.get("Retry-After"));
  expect([wait >= 1, wait <= 60]).toEqual([true, true]);
  expect((await ask(other.token)).status).toBe(200);
});

test("a shared limit is counted in the database, exactly, however many ask at once", async () => {
  const waits = await Promise.all(Array.from({ length: 30 }, () => tryConsume("reveal", "racer")));
  expect(waits.filter((wait) => wait === null)).toHaveLength(2);
  const { rows } = await desk.pool.query("SELECT points FROM idemdesk.rate_limit WHERE key = 'reveal:racer'");
  expect(rows[0].points).toBe(30);
  await expect(consume("reveal", "racer")).rejects.toMatchObject({ code: "rate_limited" });
});
