import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, idempotent, type KeyRing, openBody } from "@/lib/idempotency";
import { endpoint, post, type Service, send, startService } from "./service";

type Keep = NonNullable<Parameters<typeof idempotent>[0]["keep"]>;

describe("stored responses", () => {
  let service: Service;
  const [march, april] = [randomBytes(32), randomBytes(32)];
  const keyRing: KeyRing = { current: "2026-03", keys: { "2026-03": march } };

  beforeAll(async () => {
    service = await startService("plain");
  });
  afterAll(() => service.close());

  async function twice(respond: () => Response, keep: Keep = {}, more: object = {}) {
    const key = generateKey();
    let runs = 0;
    const options = { db: service.db, layout: "plain", endpoint, mode: "separate", keep, ...more } as const;
    const handle = idempotent(options, () => {
      runs++;
      return respond();
    });
    const first = await handle(post(key), service);
    const bytes = Buffer.from(await first.arrayBuffer());
    const second = await handle(post(key), service);
    expect(runs).toBe(1);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    return { key, first, bytes, second, replay: Buffer.from(await second.arrayBuffer()) };
  }

  async function storedBody(key: string): Promise<Buffer | null> {
    const { rows } = await service.pool.query("SELECT response_body FROM idempotency_keys WHERE idem_key = $1", [key]);
    return rows[0].response_body;
  }

  test("204 stays without content", async () => {
    const { second, replay } = await twice(() => new Response(null, { status: 204 }));
    expect(second.status).toBe(204);
    expect(replay).toHaveLength(0);
  });

  test("an empty 201 is replayed as empty, not as lost", async () => {
    const { second, replay } = await twice(() => new Response(null, { status: 201, headers: { Location: "/1" } }), {
      keyRing,
    });
    expect(second.status).toBe(201);
    expect(replay).toHaveLength(0);
  });

  test("binary and CSV bodies keep their bytes and type", async () => {
    const csv = Buffer.concat([Buffer.from("id;name\r\n1;é\r\n"), Buffer.from([0, 0x80, 0xff])]);
    const headers = { "Content-Type": "text/csv; charset=utf-8" };
    const { second, replay } = await twice(() => new Response(csv, { headers }), { keyRing });
    expect(replay.equals(csv)).toBe(true);
    expect(second.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  });

  test("an encoded response is replayed in identity form", async () => {
    const text = Buffer.from(JSON.stringify({ text: "x".repeat(5_000) }));
    const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
    const { bytes, second, replay } = await twice(() => new Response(gzipSync(text), { headers }));
    expect(bytes.equals(gzipSync(text))).toBe(true);
    expect(second.headers.get("Content-Encoding")).toBeNull();
    expect(replay.equals(text)).toBe(true);
  });

  test.each([
    ["an encoding nobody can decode", () => new Response("?", { headers: { "Content-Encoding": "aws-chunked" } }), {}],
    ["a body over the limit", () => new Response(Buffer.alloc(2_000)), { maxBytes: 1_000 }],
    ["an encoded body that unfolds over the limit", () => bomb(), { maxBytes: 1_000 }],
    ["an endpoint that keeps no bodies", () => Response.json({ token: "secret" }), { body: false }],
  ])("%s: answered once, and the replay says the body was not kept", async (_, respond, keep) => {
    const original = Buffer.from(await respond().arrayBuffer());
    const { key, bytes, second, replay } = await twice(respond, keep);
    expect(bytes.equals(original)).toBe(true);
    expect(second.status).toBe(200);
    expect(JSON.parse(replay.toString())).toMatchObject({ code: "response_body_not_kept", status: 200 });
    expect(await storedBody(key)).toBeNull();
  });

  test("render makes the answer anew", async () => {
    const render = () => Response.json({ url: "signed-now" });
    const { replay } = await twice(() => Response.json({ url: "signed-then" }), { body: false }, { render });
    expect(JSON.parse(replay.toString())).toEqual({ url: "signed-now" });
  });

  test("a long stream reaches its client whole and is not kept", async () => {
    const chunk = new Uint8Array(64 * 1024).fill(7);
    const stream = () => {
      let left = 160;
      return new ReadableStream<Uint8Array>({
        pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
      });
    };
    const { bytes, replay } = await twice(() => new Response(stream()));
    expect(bytes).toHaveLength(160 * 64 * 1024);
    expect(JSON.parse(replay.toString())).toMatchObject({ code: "response_body_not_kept" });
  });

  test("sealed at rest, compressed over 1 KiB, opened only for its own operation", async () => {
    const text = JSON.stringify({ card: "4242".repeat(4), text: "x".repeat(20_000) });
    const { key, replay } = await twice(() => new Response(text), { keyRing });
    const stored = (await storedBody(key)) ?? expect.fail("not kept");
    expect(replay.toString()).toBe(text);
    expect(stored.length).toBeLessThan(1_000);
    expect(stored.includes("4242")).toBe(false);
    const context = { tenant: service.tenant, endpoint, key };
    expect(openBody(stored, keyRing, context).toString()).toBe(text);
    expect(() => openBody(stored, keyRing, { ...context, key: generateKey() })).toThrow();
    stored.writeUInt8(stored.readUInt8(stored.length - 1) ^ 1, stored.length - 1);
    expect(() => openBody(stored, keyRing, context)).toThrow();
  });

  test("keys rotate: old bodies open, new ones use the new key, an unknown key is an outage and not a re-run", async () => {
    const key = generateKey();
    const on = (ring: KeyRing) =>
      idempotent({ db: service.db, layout: "plain", endpoint, mode: "separate", keep: { keyRing: ring } }, () =>
        Response.json({ at: "march" }),
      );
    await send(on(keyRing), post(key), service);
    const rotated = { current: "2026-04", keys: { "2026-03": march, "2026-04": april } };
    expect(await send(on(rotated), post(key), service)).toMatchObject({ replayed: true, body: { at: "march" } });
    const lost = { current: "2026-04", keys: { "2026-04": april } };
    expect(await send(on(lost), post(key), service)).toMatchObject({ status: 503 });
  });

  function bomb(): Response {
    return new Response(gzipSync(Buffer.alloc(100_000)), { headers: { "Content-Encoding": "gzip" } });
  }
});
