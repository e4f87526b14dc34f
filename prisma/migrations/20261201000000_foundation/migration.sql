-- Schema idemdesk: roles, scope, access, events, audit. Never touches the keys table, which is not ours.

DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['idemdesk_owner', 'idemdesk_writer'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
    END IF;
  END LOOP;
  FOREACH role_name IN ARRAY ARRAY['idemdesk_web', 'idemdesk_worker', 'idemdesk_maintenance'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', role_name);
    END IF;
  END LOOP;
END $$;

-- Role defaults, because a pooler may drop start-up options. Values bound what a desk query may cost the payment database.
ALTER ROLE idemdesk_web SET timezone = 'UTC';
ALTER ROLE idemdesk_web SET statement_timeout = '5s';
ALTER ROLE idemdesk_web SET lock_timeout = '2s';
ALTER ROLE idemdesk_web SET idle_in_transaction_session_timeout = '15s';
ALTER ROLE idemdesk_worker SET timezone = 'UTC';
ALTER ROLE idemdesk_worker SET statement_timeout = '60s';
ALTER ROLE idemdesk_worker SET lock_timeout = '5s';
ALTER ROLE idemdesk_worker SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE idemdesk_maintenance SET timezone = 'UTC';
ALTER ROLE idemdesk_maintenance SET lock_timeout = '2s';
ALTER ROLE idemdesk_maintenance SET idle_in_transaction_session_timeout = '60s';

CREATE SCHEMA IF NOT EXISTS idemdesk;
ALTER SCHEMA idemdesk OWNER TO idemdesk_owner;
GRANT USAGE ON SCHEMA idemdesk TO idemdesk_web, idemdesk_worker, idemdesk_writer;
GRANT USAGE, CREATE ON SCHEMA idemdesk TO idemdesk_maintenance;

-- Tenants -------------------------------------------------------------------------------------------------------------

CREATE TABLE idemdesk.tenant (
  id            uuid PRIMARY KEY,
  name          text        NOT NULL CHECK (name <> ''),
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE idemdesk.tenant OWNER TO idemdesk_owner;

-- The tenants this transaction may see: '*' is every known tenant, a well-formed list is itself, anything else NULL:
-- no rows and no error. STABLE and used as a sub-select, so that it is evaluated once per query, not once per row.
CREATE FUNCTION idemdesk.scope() RETURNS uuid[]
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = ''
AS $$
DECLARE
  setting text := pg_catalog.current_setting('idemdesk.tenants', true);
BEGIN
  IF setting = '*' THEN
    RETURN (SELECT pg_catalog.array_agg(id) FROM idemdesk.tenant);
  ELSIF setting ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(,[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})*$' THEN
    RETURN pg_catalog.string_to_array(setting, ',')::uuid[];
  END IF;
  RETURN NULL;
END $$;
ALTER FUNCTION idemdesk.scope() OWNER TO idemdesk_owner;

-- The operator or token this transaction acts for; NULL when unset or malformed.
CREATE FUNCTION idemdesk.principal() RETURNS uuid
  LANGUAGE sql STABLE SET search_path = ''
AS $$
  SELECT CASE
    WHEN pg_catalog.current_setting('idemdesk.principal', true) ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    THEN pg_catalog.current_setting('idemdesk.principal', true)::uuid
  END
$$;
ALTER FUNCTION idemdesk.principal() OWNER TO idemdesk_owner;

-- RFC 3339 in UTC with six digits: the one spelling of a time that leaves the database exactly.
CREATE FUNCTION idemdesk.utc(moment timestamptz) RETURNS text
  LANGUAGE sql STABLE
RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
ALTER FUNCTION idemdesk.utc(timestamptz) OWNER TO idemdesk_owner;

ALTER TABLE idemdesk.tenant ENABLE ROW LEVEL SECURITY;
CREATE POLICY web_scope ON idemdesk.tenant FOR SELECT TO idemdesk_web
  USING (id = ANY ((SELECT idemdesk.scope())::uuid[]));
CREATE POLICY worker_all ON idemdesk.tenant TO idemdesk_worker USING (true) WITH CHECK (true);
GRANT SELECT ON idemdesk.tenant TO idemdesk_web;
GRANT SELECT, INSERT, UPDATE ON idemdesk.tenant TO idemdesk_worker;

-- Access --------------------------------------------------------------------------------------------------------------

CREATE TABLE idemdesk.operator (
  id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email           text        NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '_%@_%'),
  name            text        NOT NULL CHECK (name <> ''),
  password_hash   text,
  session_version int         NOT NULL DEFAULT 1,
  active          boolean     NOT NULL DEFAULT true,
  locale          text        CHECK (locale IN ('en', 'zh')),
  time_zone       text,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by      text        NOT NULL,
  signed_in_at    timestamptz
);

-- tenant_id NULL is "all tenants". A grant may end by itself (an auditor's must).
CREATE TABLE idemdesk.membership (
  id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id   uuid        REFERENCES idemdesk.tenant (id),
  operator_id uuid        NOT NULL REFERENCES idemdesk.operator (id),
  role        text        NOT NULL CHECK (role IN ('support', 'oncall', 'finance', 'auditor', 'admin')),
  valid_until timestamptz,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by  text        NOT NULL,
  UNIQUE NULLS NOT DISTINCT (operator_id, tenant_id, role),
  CHECK (role <> 'auditor' OR valid_until IS NOT NULL)
);

CREATE TABLE idemdesk.sign_in_link (
  token_hash  bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  operator_id uuid        NOT NULL REFERENCES idemdesk.operator (id),
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at  timestamptz NOT NULL,
  used_at     timestamptz
);

-- A token acts as its operator, or is a service account with a role of its own over the tenants named.
CREATE TABLE idemdesk.api_token (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name         text        NOT NULL CHECK (name <> ''),
  token_hash   bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  operator_id  uuid        REFERENCES idemdesk.operator (id),
  role         text        CHECK (role IN ('support', 'oncall', 'finance', 'auditor', 'admin', 'ingest')),
  all_tenants  boolean     NOT NULL DEFAULT false,
  tenants      uuid[]      NOT NULL DEFAULT '{}',
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by   text        NOT NULL,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  CHECK ((operator_id IS NULL) <> (role IS NULL))
);

-- Shared by all web processes, so a limit holds whichever one answers. Losing it costs one window: unlogged.
CREATE UNLOGGED TABLE idemdesk.rate_limit (
  key    text PRIMARY KEY,
  points int    NOT NULL DEFAULT 0,
  expire bigint
);

ALTER TABLE idemdesk.operator OWNER TO idemdesk_owner;
ALTER TABLE idemdesk.membership OWNER TO idemdesk_owner;
ALTER TABLE idemdesk.sign_in_link OWNER TO idemdesk_owner;
ALTER TABLE idemdesk.api_token OWNER TO idemdesk_owner;
ALTER TABLE idemdesk.rate_limit OWNER TO idemdesk_owner;
GRANT SELECT, INSERT, UPDATE ON idemdesk.operator, idemdesk.sign_in_link, idemdesk.api_token TO idemdesk_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON idemdesk.membership, idemdesk.rate_limit TO idemdesk_web;
GRANT SELECT ON idemdesk.operator, idemdesk.membership TO idemdesk_worker;

-- Keys of our own API's writes, in the plain layout of the contract. tenant_id is the principal: its own scope.
CREATE TABLE idemdesk.request (
  id               bigserial PRIMARY KEY,
  tenant_id        uuid        NOT NULL,
  endpoint         text        NOT NULL,
  idem_key         text        NOT NULL,
  fingerprint      bytea       NOT NULL,
  state            text        NOT NULL,
  response_status  int,
  response_body    bytea,
  response_headers jsonb,
  locked_until     timestamptz,
  created_at       timestamptz NOT NULL DEFAULT now(),
  expires_at       timestamptz NOT NULL,
  UNIQUE (tenant_id, endpoint, idem_key)
);
CREATE INDEX request_open ON idemdesk.request (locked_until) WHERE state <> 'completed';
CREATE INDEX request_expiry ON idemdesk.request (expires_at);
ALTER TABLE idemdesk.request OWNER TO idemdesk_owner;
ALTER TABLE idemdesk.request ENABLE ROW LEVEL SECURITY;
CREATE POLICY web_principal ON idemdesk.request TO idemdesk_web
  USING (tenant_id = (SELECT idemdesk.principal())) WITH CHECK (tenant_id = (SELECT idemdesk.principal()));
CREATE POLICY worker_all ON idemdesk.request TO idemdesk_worker USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON idemdesk.request TO idemdesk_web, idemdesk_worker;
GRANT USAGE ON SEQUENCE idemdesk.request_id_seq TO idemdesk_web;

-- Endpoint profiles ---------------------------------------------------------------------------------------------------

-- What is declared for an endpoint. An undeclared behaviour is NULL: the desk then says "not known".
CREATE TABLE idemdesk.endpoint (
  pattern          text PRIMARY KEY,
  mode             text CHECK (mode IN ('atomic', 'separate', 'external')),
  assumed_lease_ms int    NOT NULL DEFAULT 60000 CHECK (assumed_lease_ms > 0),
  ttl_ms           bigint CHECK (ttl_ms > 0),
  retry_window_ms  bigint CHECK (retry_window_ms > 0),
  twin_window_ms   bigint NOT NULL DEFAULT 900000 CHECK (twin_window_ms > 0),
  provider         text,
  body_codec       text   NOT NULL DEFAULT 'plain' CHECK (body_codec IN ('plain', 'envelope-v1', 'opaque')),
  on_in_progress   text   CHECK (on_in_progress IN ('conflict', 'execute')),
  on_expired_lease text   CHECK (on_expired_lease IN ('conflict', 'pending', 'execute')),
  on_completed     text   CHECK (on_completed IN ('replay', 'conflict', 'execute')),
  on_expired       text   CHECK (on_expired IN ('replay', 'execute')),
  on_failed        text   CHECK (on_failed IN ('pending', 'replay', 'execute')),
  on_unknown       text   CHECK (on_unknown IN ('pending', 'execute')),
  -- JSON Pointers into stored bodies whose values are masked for readers who may not see them.
  masked_pointers  text[] NOT NULL DEFAULT '{}',
  switches         text[] NOT NULL DEFAULT '{observe}'
    CHECK (switches <@ ARRAY['observe', 'recover', 'decide', 'clean'])
);
ALTER TABLE idemdesk.endpoint OWNER TO idemdesk_owner;
GRANT SELECT, INSERT, UPDATE ON idemdesk.endpoint TO idemdesk_web;
GRANT SELECT ON idemdesk.endpoint TO idemdesk_worker;

-- Notes and views -----------------------------------------------------------------------------------------------------

-- A note belongs to the operation, not to a row, so that it outlives cleanup.
CREATE TABLE idemdesk.key_note (
  tenant_id   uuid        NOT NULL,
  id          uuid        NOT NULL DEFAULT gen_random_uuid(),
  endpoint    text        NOT NULL,
  key_hash    bytea       NOT NULL CHECK (octet_length(key_hash) = 32),
  text        text        NOT NULL CHECK (text <> ''),
  ticket      text,
  author_id   uuid        NOT NULL,
  author      text        NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX key_note_operation ON idemdesk.key_note (tenant_id, endpoint, key_hash, created_at);

CREATE TABLE idemdesk.saved_view (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  owner_id   uuid        NOT NULL REFERENCES idemdesk.operator (id),
  page       text        NOT NULL CHECK (page IN ('keys', 'audit')),
  name       text        NOT NULL CHECK (name <> ''),
  query      text        NOT NULL,
  shared     boolean     NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (owner_id, page, name)
);

ALTER TABLE idemdesk.key_note OWNER TO idemdesk_owner;
ALTER TABLE idemdesk.saved_view OWNER TO idemdesk_owner;
ALTER TABLE idemdesk.key_note ENABLE ROW LEVEL SECURITY;
CREATE POLICY web_scope ON idemdesk.key_note TO idemdesk_web
  USING (tenant_id = ANY ((SELECT idemdesk.scope())::uuid[]))
  WITH CHECK (tenant_id = ANY ((SELECT idemdesk.scope())::uuid[]));
CREATE POLICY worker_all ON idemdesk.key_note TO idemdesk_worker USING (true) WITH CHECK (true);
ALTER TABLE idemdesk.saved_view ENABLE ROW LEVEL SECURITY;
CREATE POLICY web_read ON idemdesk.saved_view FOR SELECT TO idemdesk_web
  USING (shared OR owner_id = (SELECT idemdesk.principal()));
CREATE POLICY web_write ON idemdesk.saved_view TO idemdesk_web
  USING (owner_id = (SELECT idemdesk.principal())) WITH CHECK (owner_id = (SELECT idemdesk.principal()));
GRANT SELECT, INSERT ON idemdesk.key_note TO idemdesk_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON idemdesk.saved_view TO idemdesk_web;
