import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { Fault } from "./fault";
import { inOneTransaction } from "./one-transaction";

/** How long the provider knows a repeated downstream key for its own; afterwards the same key charges again. */
const KEY_RETENTION_MS = 24 * 3_600_000;
/** A charge younger than this is not found by a search: "not found" is no evidence before. */
const VISIBILITY_DELAY_MS = 1_500;

export interface ChargeRequest {
  downstreamKey: string;
  tenantId: string;
  customer: string;
  /** Minor units. */
  amount: number;
  currency: string;
  kind: "charge" | "refund";
  metadata: ChargeMetadata;
}

/** What the caller attached, so that a search gives back all it needs for its own record. */
export type ChargeMetadata = Record<string, string>;

export interface Charge {
  id: string;
  status: "succeeded" | "declined" | "refunded";
  amount: number;
  currency: string;
  customer: string;
  metadata: ChargeMetadata;
}

/** What a read-only search found. `unreachable`: the provider cannot be asked about it now. */
export type SearchResult = { finding: "found"; charge: Charge } | { finding: "not_found" } | { finding: "unreachable" };

/** The connection ended after the request was sent: whether anything happened is not known to the caller. */
export class AnswerLost extends Error {
  override name = "AnswerLost";
}

const columns = "id, status, amount::float8 AS amount, currency, customer, metadata";

/** The simulated payment provider: another company, so its ledger commits on its own, whatever its caller does. */
export class SandboxProvider {
  constructor(private readonly pool: Pool) {}

  /** Charges, or refunds, once per downstream key. Gives up waiting when `signal` aborts; the charge may then stand. */
  async charge(request: ChargeRequest, fault: Fault | null, signal: AbortSignal): Promise<Charge> {
    const charge = await this.record(request, fault);
    if (fault?.kind === "lose-answer") throw new AnswerLost("The provider's connection was reset");
    if (fault?.kind === "slow") await sleep(fault.ms, undefined, { signal });
    return charge;
  }

  /** Searches by downstream key for a charge made at or after `since`. Asking is never sending again. */
  async find(downstreamKey: string, since: string): Promise<SearchResult> {
    const { rows } = await this.pool.query<Charge & { held: boolean; visible: boolean }>(
      `SELECT ${columns}, held, at <= clock_timestamp() - $3 * interval '1 ms' AS visible
       FROM sandbox.provider_charge
       WHERE downstream_key = $1 AND at >= $2::timestamptz
       ORDER BY at LIMIT 1`,
      [downstreamKey, since, VISIBILITY_DELAY_MS],
    );
    const [row] = rows;
    if (row?.held) return { finding: "unreachable" };
    if (!row?.visible) return { finding: "not_found" };
    const { held, visible, ...charge } = row;
    return { finding: "found", charge };
  }

  private record(request: ChargeRequest, fault: Fault | null): Promise<Charge> {
    return inOneTransaction(this.pool, async (client) => {
      // Two requests under one key: the second waits and finds the first's charge.
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [request.downstreamKey]);
      return (await this.known(client, request)) ?? (await this.enter(client, request, fault));
    });
  }

  private async known(client: PoolClient, { downstreamKey }: ChargeRequest): Promise<Charge | undefined> {
    const { rows } = await client.query<Charge>(
      `SELECT ${columns} FROM sandbox.provider_charge
       WHERE downstream_key = $1 AND at > clock_timestamp() - $2 * interval '1 ms'
       ORDER BY at DESC LIMIT 1`,
      [downstreamKey, KEY_RETENTION_MS],
    );
    return rows[0];
  }

  private async enter(client: PoolClient, request: ChargeRequest, fault: Fault | null): Promise<Charge> {
    const accepted = request.kind === "refund" ? "refunded" : "succeeded";
    const charge: Charge = {
      id: `${request.kind === "refund" ? "rf" : "ch"}_${randomBytes(12).toString("hex")}`,
      status: fault?.kind === "decline" ? "declined" : accepted,
      amount: request.amount,
      currency: request.currency,
      customer: request.customer,
      metadata: request.metadata,
    };
    await client.query(
      `INSERT INTO sandbox.provider_charge (id, downstream_key, tenant_id, customer, amount, currency, status, metadata, held)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        charge.id,
        request.downstreamKey,
        request.tenantId,
        charge.customer,
        charge.amount,
        charge.currency,
        charge.status,
        charge.metadata,
        fault?.kind === "lose-answer" && fault.hold,
      ],
    );
    return charge;
  }
}
