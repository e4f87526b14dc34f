import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as release from "@/app/api/sandbox/v1/ledger/[id]/release/route";
import * as ledger from "@/app/api/sandbox/v1/ledger/route";
import * as payment from "@/app/api/sandbox/v1/payments/[id]/route";
import * as payments from "@/app/api/sandbox/v1/payments/route";
import * as refunds from "@/app/api/sandbox/v1/refunds/route";
import * as credentials from "@/app/api/v1/sandbox/credentials/route";
import { type Desk, openDesk, send } from "../desk";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ IDEMDESK_SANDBOX_DATABASE_URL: "" });
});
afterAll(() => desk.close());

test("beside a database of one's own there is no sandbox", async () => {
  const { token } = await desk.operator("admin");
  const request = new Request("http://desk.test/", { method: "POST" });
  const answers = [
    await payments.POST(request),
    await refunds.POST(request),
    await payment.GET(request, { params: Promise.resolve({ id: "pay_1" }) }),
    await send(ledger.GET, {}, { token }),
    await send(credentials.GET, {}, { token }),
    await send(release.POST, { id: `ch_${"0".repeat(24)}` }, { token, key: randomUUID() }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404));
});
