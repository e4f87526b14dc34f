import { createHash, randomUUID } from "node:crypto";
import { fingerprint } from "@/lib/idempotency/fingerprint/fingerprint";
import type { Figure } from "./figure";

const rules = { volatile: [], raw: false };

/** A payment-like body of about so many bytes: members in no order, numbers, nested items. */
function paymentBody(bytes: number): Buffer {
  const items: unknown[] = [];
  const body = {
    reference: randomUUID(),
    currency: "EUR",
    amount: 4200.5,
    customer: { name: "Zoë Å", id: "cus_1" },
    items,
  };
  while (JSON.stringify(body).length < bytes) {
    items.push({
      sku: `sku-${items.length}`,
      quantity: items.length % 7,
      price: items.length * 1.25,
      gift: false,
      note: null,
    });
  }
  return Buffer.from(JSON.stringify(body));
}

function perSecond(work: () => void, forMs = 1_000): number {
  const until = performance.now() + forMs;
  const started = performance.now();
  let times = 0;
  for (; performance.now() < until; times++) work();
  return (times * 1_000) / (performance.now() - started);
}

/** Fingerprints per second against what no fingerprint can avoid: parsing the JSON and hashing its bytes. */
export function fingerprintFigures(): Figure[] {
  return [300, 10_000, 500_000].map((bytes) => {
    const body = paymentBody(bytes);
    const tenant = randomUUID();
    const input = { method: "POST", path: "/v1/payments", query: "", tenant, contentType: "application/json", body };
    const ours = () => void fingerprint(input, rules);
    const floor = () => {
      JSON.parse(body.toString("utf8"));
      createHash("sha256").update(body).digest();
    };
    for (const warm of [ours, floor]) perSecond(warm, 300);
    return {
      figure: `fingerprints per second, ${body.length} byte JSON / JSON.parse and SHA-256`,
      ours: perSecond(ours),
      bare: perSecond(floor),
      unit: "1/s",
      goal: null,
    };
  });
}
