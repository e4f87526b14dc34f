import { type KeyRing, sealBody } from "@/lib/idempotency";
import type { SandboxTenant } from "../tenants";
import type { Cell, CopyBatch } from "./copy";
import { type Micros, timeText } from "./micros";
import type { HistoryEvent, KeyRecord, Records } from "./records";

/** What one stretch of history puts into each table. Bodies are sealed under `ring`; without one they stay plain. */
export function* batchesOf(records: Records, ring: KeyRing | null): Generator<CopyBatch> {
  yield {
    target: `public.idempotency_keys (tenant_id, endpoint, idem_key, fingerprint, state, response_status,
      response_body, response_headers, locked_until, created_at, expires_at)`,
    rows: map(records.keys, (row) => keyCells(row, ring)),
  };
  yield {
    target: "public.idempotency_guard (tenant_id, endpoint, idem_key, key_created_at, free_at)",
    rows: map(records.guards, (row) => [...nameCells(row), timeText(row.keyCreatedAt), maybeTime(row.freeAt)]),
  };
  yield {
    target: `public.idempotency_effect (tenant_id, endpoint, idem_key, key_created_at, step, downstream_key, started_at)`,
    rows: map(records.effects, (row) => [
      ...nameCells(row),
      timeText(row.keyCreatedAt),
      row.step,
      row.downstreamKey,
      timeText(row.startedAt),
    ]),
  };
  yield {
    target: `sandbox.provider_charge (id, downstream_key, tenant_id, customer, amount, currency, status, metadata,
      at, held)`,
    rows: map(records.charges, (row) => [
      row.id,
      row.downstreamKey,
      row.tenantId,
      row.customer,
      row.amount,
      row.currency,
      row.status,
      JSON.stringify(row.metadata),
      timeText(row.at),
      row.held,
    ]),
  };
  yield* businessBatches(records);
  yield {
    target: `idemdesk.event (tenant_id, event_id, occurred_at, received_at, kind, endpoint, key_hash, fingerprint, state,
      replayed, response_status, duration_ms, request_id, trace_id, source, error_code, downstream_key_hash,
      provider_reference, amount, currency, refs, customer, retry_after_ms)`,
    rows: map(records.events, ({ event, receivedAt }) => eventCells(event, receivedAt)),
  };
}

function* businessBatches(records: Records): Generator<CopyBatch> {
  yield {
    target: `sandbox.payment (tenant_id, endpoint, idem_key, operation_at, id, status, amount, currency, customer,
      order_reference, description, provider_reference, created_at)`,
    rows: map(records.payments, (row) => [
      ...nameCells(row),
      timeText(row.operationAt),
      row.id,
      row.status,
      row.amount,
      row.currency,
      row.customer,
      row.order,
      row.description,
      row.providerReference,
      timeText(row.createdAt),
    ]),
  };
  yield {
    target: `sandbox.refund (tenant_id, endpoint, idem_key, operation_at, id, payment_id, status, amount, currency,
      reason, provider_reference, created_at)`,
    rows: map(records.refunds, (row) => [
      ...nameCells(row),
      timeText(row.operationAt),
      row.id,
      row.payment,
      row.status,
      row.amount,
      row.currency,
      row.reason,
      row.providerReference,
      timeText(row.createdAt),
    ]),
  };
  yield {
    target: "sandbox.operation_kind (tenant_id, endpoint, key_hash, kind, verdict, hints, charges)",
    rows: map(records.kinds, ({ tenantId, endpoint, keyHash, kind, expected }) => [
      tenantId,
      endpoint,
      hexCell(keyHash),
      kind,
      expected.verdict,
      expected.hints,
      expected.charges,
    ]),
  };
}

/** The tenants, with their credentials and under their names in the desk. */
export function* tenantBatches(tenants: SandboxTenant[]): Generator<CopyBatch> {
  yield {
    target: "sandbox.tenant (id, name, api_key, share)",
    rows: map(tenants, ({ tenantId, name, apiKey, weight }) => [tenantId, name, apiKey, weight]),
  };
  yield {
    target: "idemdesk.tenant (id, name)",
    rows: map(tenants, ({ tenantId, name }) => [tenantId, name]),
  };
}

function keyCells(row: KeyRecord, ring: KeyRing | null): Cell[] {
  const { tenantId: tenant, endpoint, key, answer } = row;
  const body = answer && Buffer.from(answer.body);
  return [
    ...nameCells(row),
    row.fingerprint,
    row.state,
    answer?.status,
    body && ring ? sealBody(body, ring, { tenant, endpoint, key }) : body,
    answer && JSON.stringify(answer.headers),
    timeText(row.lockedUntil),
    timeText(row.createdAt),
    timeText(row.expiresAt),
  ];
}

function eventCells(event: HistoryEvent, receivedAt: Micros): Cell[] {
  return [
    event.tenantId,
    event.eventId,
    event.occurredAt,
    timeText(receivedAt),
    event.kind,
    event.endpoint,
    hexCell(event.keyHash),
    hexCell(event.fingerprint),
    event.state,
    event.replayed ?? false,
    event.responseStatus,
    event.durationMs,
    event.requestId,
    event.traceId,
    event.source,
    event.errorCode,
    hexCell(event.downstreamKeyHash),
    event.providerReference,
    event.amount,
    event.currency,
    event.references,
    event.customer,
    event.retryAfterMs,
  ];
}

function nameCells({ tenantId, endpoint, key }: { tenantId: string; endpoint: string; key: string }): Cell[] {
  return [tenantId, endpoint, key];
}

function hexCell(hex: string | null | undefined): Buffer | null {
  return hex ? Buffer.from(hex, "hex") : null;
}

function maybeTime(at: Micros | null): string | null {
  return at === null ? null : timeText(at);
}

function* map<T>(items: readonly T[], cells: (item: T) => Cell[]): Generator<Cell[]> {
  for (const item of items) yield cells(item);
}
