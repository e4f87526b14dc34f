import { dailyTablesSql } from "@/lib/idempotency";

/** Roles of the sandbox: who owns its tables, and who its payments service connects as. Made only if missing. */
export const rolesSql = `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'sandbox_owner') THEN
    CREATE ROLE sandbox_owner NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'sandbox_payments') THEN
    CREATE ROLE sandbox_payments LOGIN;
  END IF;
END $$;
ALTER ROLE sandbox_payments SET timezone = 'UTC';
ALTER ROLE sandbox_payments SET statement_timeout = '10s';
ALTER ROLE sandbox_payments SET lock_timeout = '5s';
GRANT idemdesk_writer TO sandbox_payments;
GRANT sandbox_owner TO idemdesk_maintenance;
GRANT USAGE, CREATE ON SCHEMA public TO sandbox_owner;
CREATE SCHEMA IF NOT EXISTS sandbox AUTHORIZATION sandbox_owner;
`;

/** The keys table as a service would have it: the contract's daily layout with guard and effect table. */
export const keyTablesSql = dailyTablesSql();

/** What a payments service keeps beside its keys, and what its provider keeps for itself. */
export const businessTablesSql = `
CREATE TABLE IF NOT EXISTS sandbox.tenant (
  id      uuid PRIMARY KEY,
  name    text NOT NULL,
  api_key text NOT NULL UNIQUE,
  share   double precision NOT NULL CHECK (share > 0)
);

-- Business rows keep key and operation time, so that they outlive the key row and still tell a double run.
CREATE TABLE IF NOT EXISTS sandbox.payment (
  tenant_id          uuid        NOT NULL,
  id                 text        NOT NULL,
  endpoint           text        NOT NULL,
  idem_key           text        NOT NULL,
  operation_at       timestamptz NOT NULL,
  status             text        NOT NULL CHECK (status IN ('succeeded', 'declined')),
  amount             bigint      NOT NULL CHECK (amount > 0),
  currency           text        NOT NULL,
  customer           text        NOT NULL,
  order_reference    text,
  description        text,
  provider_reference text        NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, endpoint, idem_key, operation_at)
);
CREATE INDEX IF NOT EXISTS payment_order ON sandbox.payment (tenant_id, order_reference);

CREATE TABLE IF NOT EXISTS sandbox.refund (
  tenant_id          uuid        NOT NULL,
  id                 text        NOT NULL,
  endpoint           text        NOT NULL,
  idem_key           text        NOT NULL,
  operation_at       timestamptz NOT NULL,
  payment_id         text        NOT NULL,
  status             text        NOT NULL CHECK (status IN ('succeeded', 'declined')),
  amount             bigint      NOT NULL CHECK (amount > 0),
  currency           text        NOT NULL,
  reason             text,
  provider_reference text        NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, endpoint, idem_key, operation_at)
);

-- The provider's own ledger, with what its caller attached to each charge. The service reaches it only through the provider's interface; held: cannot be asked about.
CREATE TABLE IF NOT EXISTS sandbox.provider_charge (
  id             text PRIMARY KEY,
  downstream_key text        NOT NULL,
  tenant_id      uuid        NOT NULL,
  customer       text        NOT NULL,
  amount         bigint      NOT NULL,
  currency       text        NOT NULL,
  status         text        NOT NULL CHECK (status IN ('succeeded', 'declined', 'refunded')),
  metadata       jsonb       NOT NULL DEFAULT '{}',
  at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  held           boolean     NOT NULL DEFAULT false
);
CREATE INDEX IF NOT EXISTS provider_charge_key ON sandbox.provider_charge (downstream_key, at);
CREATE INDEX IF NOT EXISTS provider_charge_tenant ON sandbox.provider_charge (tenant_id, customer, at);

-- The web process may end a hold and nothing else here; NULL where there is no such charge.
CREATE OR REPLACE FUNCTION sandbox.release_charge(charge_id text) RETURNS uuid
  LANGUAGE sql SECURITY DEFINER SET search_path = ''
AS $$ UPDATE sandbox.provider_charge SET held = false WHERE id = charge_id RETURNING tenant_id $$;
REVOKE ALL ON FUNCTION sandbox.release_charge(text) FROM PUBLIC;

-- Which kind of client made an operation and what the desk must say of it: the truth that tests compare with.
CREATE TABLE IF NOT EXISTS sandbox.operation_kind (
  tenant_id uuid   NOT NULL,
  endpoint  text   NOT NULL,
  key_hash  bytea  NOT NULL,
  kind      text   NOT NULL,
  verdict   text   NOT NULL,
  hints     text[] NOT NULL,
  charges   int    NOT NULL,
  PRIMARY KEY (tenant_id, endpoint, key_hash)
);
`;

/** Least privilege: the service writes its tables; the desk's view and worker get what they need of the keys alone. */
export const grantsSql = `
GRANT USAGE ON SCHEMA sandbox TO sandbox_payments, idemdesk_web;
GRANT EXECUTE ON FUNCTION sandbox.release_charge(text) TO idemdesk_web;
GRANT SELECT, INSERT, UPDATE, DELETE
  ON public.idempotency_keys, public.idempotency_guard, public.idempotency_effect TO sandbox_payments;
GRANT USAGE ON SEQUENCE public.idempotency_keys_id_seq TO sandbox_payments;
GRANT SELECT ON sandbox.tenant TO sandbox_payments;
GRANT SELECT, INSERT ON sandbox.payment, sandbox.refund, sandbox.operation_kind TO sandbox_payments;
GRANT SELECT, INSERT ON sandbox.provider_charge TO sandbox_payments;

GRANT SELECT, DELETE ON public.idempotency_keys TO idemdesk_owner;
GRANT UPDATE (state, response_status, response_body, response_headers, locked_until, expires_at)
  ON public.idempotency_keys TO idemdesk_owner;
GRANT SELECT ON public.idempotency_keys TO idemdesk_worker;
`;
