import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { POST as notesRoute } from "@/app/api/v1/tenants/[tenantId]/keys/[id]/notes/route";
import { POST as revealRoute } from "@/app/api/v1/tenants/[tenantId]/keys/[id]/reveal/route";
import { GET as detailRoute } from "@/app/api/v1/tenants/[tenantId]/keys/[id]/route";
import { sealBody } from "@/lib/idempotency/response/envelope";
import { insertKey, type NewKey } from "@/test/factories/key-rows";
import { type Desk, openDesk, send, type TestOperator } from "../desk";

const BODY_KEY = randomBytes(32);
const json = '{"id":"pay_1","amount":42.10,"card":"4242424242424242","email":"li@example.com","note":{"inner":1}}';
const reason = "The customer asked what they were sent";

let desk: Desk;
let tenantId: string;
let support: TestOperator;
let oncall: TestOperator;

beforeAll(async () => {
  desk = await openDesk({ IDEMDESK_BODY_KEYS: `k1:${BODY_KEY.toString("base64")}` });
  tenantId = await desk.tenant();
  support = await desk.operator("support", [tenantId]);
  oncall = await desk.operator("oncall", [tenantId]);
  await desk.pool.query(
    `INSERT INTO idemdesk.endpoint (pattern, body_codec, masked_pointers)
     VALUES ('POST /v1/sealed', 'envelope-v1', '{/note}'), ('POST /v1/opaque', 'opaque', '{}')`,
  );
});

afterAll(() => desk.close());

const row = (given: Omit<NewKey, "tenantId">) => insertKey(desk.pool, { tenantId, ...given });

const reveal = (id: string, body: object, who = oncall, key?: string) =>
  send(revealRoute, { tenantId, id }, { token: who.token, body: { reason, ...body }, ...(key && { key }) });

async function revealBody(given: Omit<NewKey, "tenantId">, who = oncall) {
  const { id } = await row(given);
  return (await reveal(id, { what: "body" }, who)).json;
}

describe("a body", () => {
  test("sealed by the contract library is opened for its own row, and for no other", async () => {
    const endpoint = "POST /v1/sealed";
    const ring = { current: "k1", keys: { k1: BODY_KEY } };
    const sealed = sealBody(Buffer.from(json), ring, { tenant: tenantId, endpoint, key: "sealed-1" });
    const opened = await revealBody({ endpoint, key: "sealed-1", body: sealed });
    expect(opened).toMatchObject({ view: "json", bytes: Buffer.byteLength(json), storedBytes: sealed.length });
    expect(opened.sha256).toBe(createHash("sha256").update(json).digest("hex"));
    expect(opened.text).toContain('"amount": 42.10');
    expect(await revealBody({ endpoint, key: "sealed-2", body: sealed })).toMatchObject({
      view: "none",
      problem: "damaged",
    });
    const unknown = sealBody(
      Buffer.from(json),
      { current: "k9", keys: { k9: BODY_KEY } },
      { tenant: tenantId, endpoint, key: "sealed-3" },
    );
    expect(await revealBody({ endpoint, key: "sealed-3", body: unknown })).toMatchObject({ problem: "key_missing" });
  });

  test.each([
    ["gzip", gzipSync(json), "gzip"],
    ["gzip that no header tells of", gzipSync(json), null],
    ["brotli", brotliCompressSync(json), "br"],
    ["bare deflate", deflateRawSync(json), "deflate"],
    ["twice encoded", brotliCompressSync(gzipSync(json)), "gzip, br"],
  ])("compressed by %s is shown whole", async (_, body, encoding) => {
    const headers = encoding ? [["Content-Encoding", encoding]] : null;
    expect(await revealBody({ body, headers })).toMatchObject({ view: "json", bytes: json.length, problem: null });
  });

  test.each([
    ["nothing was stored", null, null, "not_stored"],
    ["an encoding nobody knows", Buffer.from(json), "rot13", "unknown_encoding"],
    ["damaged content", gzipSync(json).subarray(0, 20), "gzip", "damaged"],
    ["a bomb", gzipSync(Buffer.alloc(40_000_000)), "gzip", "too_large"],
  ])("%s is said, not thrown", async (_, body, encoding, problem) => {
    const headers = encoding ? { "content-encoding": encoding } : null;
    expect(await revealBody({ body, headers })).toMatchObject({ view: "none", problem, downloadable: false });
  });

  test("of an opaque codec stays closed", async () => {
    expect(await revealBody({ endpoint: "POST /v1/opaque", body: Buffer.from(json) })).toMatchObject({
      problem: "opaque",
    });
  });

  test("binary is hexadecimal", async () => {
    expect(await revealBody({ body: Buffer.from([0, 0x80, 0xff]) })).toMatchObject({
      view: "hex",
      text: expect.stringMatching(/^0{8} {2}00 80 ff/),
    });
  });
});

describe("support sees secrets masked", () => {
  test("in JSON, with the endpoint's own pointers, and gets no bytes", async () => {
    const masked = await revealBody({ endpoint: "POST /v1/sealed", body: Buffer.from(json) }, support);
    expect(masked).toMatchObject({ maskedValues: 3, downloadable: false, base64: null });
    expect(JSON.parse(masked.text)).toEqual({
      id: "pay_1",
      amount: 42.1,
      card: "••••4242",
      email: "••••",
      note: "••••",
    });
  });

  test("in headers, and asks in vain for a download", async () => {
    const { id } = await row({ body: Buffer.from(json), headers: { Authorization: "Bearer abcdefgh12345" } });
    const { headers } = (await reveal(id, { what: "headers" }, support)).json;
    expect(headers).toEqual([{ name: "Authorization", value: "Bearer ••••", masked: true }]);
    const download = await reveal(id, { what: "body", as: "download" }, support);
    expect(download.json).toMatchObject({ base64: null });
  });
});

test("a download is the exact bytes, as an attachment that nothing opens", async () => {
  const body = Buffer.from("<script>alert(1)</script>");
  const { id } = await row({ body, headers: { "content-type": "text/html" } });
  const params = Promise.resolve({ tenantId, id });
  const request = new Request("http://desk.test/x", {
    method: "POST",
    headers: {
      Authorization: `Bearer ${oncall.token}`,
      "Content-Type": "application/json",
      "Idempotency-Key": "download-1",
    },
    body: JSON.stringify({ what: "body", as: "download", reason }),
  });
  const answer = await revealRoute(request, { params });
  expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(body);
});

test("a key is shown whole, its unseen characters named", async () => {
  const { id } = await row({ key: "pay\u202e321-reveal" });
  expect((await reveal(id, { what: "key" })).json).toEqual({
    what: "key",
    key: "pay\u202e321-reveal",
    shown: "pay\\u{202e}321-reveal",
  });
});

describe("the audit", () => {
  test("says who looked at what and why, and never what they saw", async () => {
    const { id, key } = await row({ body: Buffer.from(json) });
    await reveal(id, { what: "body" });
    const [entry] = (await desk.entries("key.revealed")).filter((one) => one.target_id === id);
    expect(entry).toMatchObject({ chain: tenantId, actor_label: oncall.email, target_type: "key", reason });
    expect(JSON.stringify(entry)).not.toMatch(new RegExp(`${key}|4242|example`));
  });

  test("has no entry where nothing was shown: no reason, no right, no row", async () => {
    const { id } = await row({});
    const auditor = await desk.operator("auditor", [tenantId]);
    const before = (await desk.entries("key.revealed")).length;
    expect((await reveal(id, { what: "body", reason: "  " })).status).toBe(400);
    expect((await reveal(id, { what: "everything" })).status).toBe(400);
    expect((await reveal(id, { what: "body" }, auditor)).status).toBe(403);
    expect((await reveal("8999", { what: "body" })).status).toBe(404);
    expect((await desk.entries("key.revealed")).length).toBe(before);
  });

  test("a reveal is not kept for replays, and is not run twice", async () => {
    const { id } = await row({ body: Buffer.from(json) });
    await reveal(id, { what: "body" }, oncall, "reveal-once-1");
    const again = await reveal(id, { what: "body" }, oncall, "reveal-once-1");
    expect(again.text).not.toContain("4242");
    expect((await desk.entries("key.revealed")).filter((entry) => entry.target_id === id)).toHaveLength(1);
  });
});

describe("notes", () => {
  test("are added once, audited, and outlive the row", async () => {
    const { id } = await row({ key: "noted-1" });
    const body = { text: "Called the customer.", ticket: "SUP-12" };
    const sent = { token: support.token, body, key: "note-once-1" };
    const first = await send(notesRoute, { tenantId, id }, sent);
    const second = await send(notesRoute, { tenantId, id }, sent);
    expect(first.status).toBe(201);
    expect(second.json).toEqual(first.json);
    expect((await send(detailRoute, { tenantId, id }, { token: support.token })).json.notes).toEqual([first.json]);
    expect((await desk.entries("key.note_added")).map((entry) => entry.target_id)).toEqual([id]);
  });

  test("show no card number, token or address that was pasted into them", async () => {
    const { id } = await row({ key: "noted-2" });
    const body = { text: "li@example.com paid with 4242 4242 4242 4242, Bearer abcdefgh12345678" };
    const { text } = await send(notesRoute, { tenantId, id }, { token: support.token, body });
    const detail = await send(detailRoute, { tenantId, id }, { token: support.token });
    for (const shown of [text, JSON.stringify(detail.json.notes)]) {
      expect(shown).not.toMatch(/4242 4242|li@example|abcdefgh/);
      expect(shown).toContain("••••");
    }
  });

  test("an auditor writes none, and nobody an empty one", async () => {
    const { id } = await row({});
    const auditor = await desk.operator("auditor", [tenantId]);
    expect((await send(notesRoute, { tenantId, id }, { token: auditor.token, body: { text: "x" } })).status).toBe(403);
    expect((await send(notesRoute, { tenantId, id }, { token: support.token, body: { text: " " } })).status).toBe(400);
  });
});
