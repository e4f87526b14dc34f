-- The event stream: one row per attempt or state change, by day of occurred_at, identity (tenant, event, time).

CREATE TABLE idemdesk.event (
  tenant_id           uuid        NOT NULL,
  event_id            text        NOT NULL CHECK (length(event_id) BETWEEN 1 AND 128),
  occurred_at         timestamptz NOT NULL,
  received_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind                text        NOT NULL CHECK (kind IN (
    'claimed', 'effect_started', 'completed', 'released', 'failed', 'marked_unknown', 'replayed', 'conflict', 'pending',
    'mismatch', 'rejected', 'lease_expired', 'expired_reuse', 'recovered', 'reconciled', 'cleaned')),
  endpoint            text        NOT NULL,
  key_hash            bytea       CHECK (octet_length(key_hash) = 32),
  fingerprint         bytea       CHECK (octet_length(fingerprint) BETWEEN 32 AND 33),
  state               text,
  replayed            boolean     NOT NULL DEFAULT false,
  response_status     int         CHECK (response_status BETWEEN 100 AND 599),
  duration_ms         int         CHECK (duration_ms >= 0),
  request_id          text,
  trace_id            text,
  source              text,
  error_code          text,
  downstream_key_hash bytea       CHECK (octet_length(downstream_key_hash) = 32),
  provider_reference  text,
  amount              bigint,
  currency            text,
  refs                text[]      CHECK (cardinality(refs) <= 5),
  -- An e-mail address is kept as a keyed hash by whoever sends it; a raw one is dropped here.
  customer            text        CHECK (customer NOT LIKE '%@%'),
  retry_after_ms      int         CHECK (retry_after_ms >= 0),
  token_id            uuid,
  -- The roller reads rows below the snapshot's xmin by this, so that no writer ever waits for it.
  xid                 bigint      NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  PRIMARY KEY (tenant_id, event_id, occurred_at),
  CHECK (key_hash IS NOT NULL OR kind = 'rejected')
) PARTITION BY RANGE (occurred_at);

-- Identifiers lead with the value, not the tenant: one probe finds it under any scope, the policy filters the rest.
CREATE INDEX event_key_hash ON idemdesk.event (key_hash, tenant_id, occurred_at);
CREATE INDEX event_request_id ON idemdesk.event (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX event_trace_id ON idemdesk.event (trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX event_provider_reference ON idemdesk.event (provider_reference) WHERE provider_reference IS NOT NULL;
CREATE INDEX event_fingerprint ON idemdesk.event (fingerprint, occurred_at) WHERE kind = 'claimed';
CREATE INDEX event_customer ON idemdesk.event (customer, occurred_at) WHERE kind = 'claimed' AND customer IS NOT NULL;
CREATE INDEX event_amount ON idemdesk.event (tenant_id, amount, currency, occurred_at)
  WHERE kind = 'claimed' AND amount IS NOT NULL;
CREATE INDEX event_refs ON idemdesk.event USING gin (refs) WHERE kind = 'claimed' AND refs IS NOT NULL;
CREATE INDEX event_xid ON idemdesk.event USING brin (xid) WITH (pages_per_range = 32);
CREATE INDEX event_received ON idemdesk.event USING brin (received_at) WITH (pages_per_range = 32);

ALTER TABLE idemdesk.event OWNER TO idemdesk_maintenance;
ALTER TABLE idemdesk.event ENABLE ROW LEVEL SECURITY;
CREATE POLICY web_scope ON idemdesk.event FOR SELECT TO idemdesk_web
  USING (tenant_id = ANY ((SELECT idemdesk.scope())::uuid[]));
CREATE POLICY worker_all ON idemdesk.event TO idemdesk_worker USING (true) WITH CHECK (true);
CREATE POLICY owner_insert ON idemdesk.event TO idemdesk_owner USING (true) WITH CHECK (true);
GRANT SELECT ON idemdesk.event TO idemdesk_web;
GRANT SELECT, INSERT ON idemdesk.event TO idemdesk_worker, idemdesk_owner;

-- An event whose day has no partition, or that is malformed, is parked, never lost and never a failed payment.
CREATE TABLE idemdesk.event_parked (
  id          bigserial PRIMARY KEY,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  reason      text        NOT NULL,
  item        jsonb       NOT NULL
);
ALTER TABLE idemdesk.event_parked OWNER TO idemdesk_owner;
GRANT SELECT, DELETE ON idemdesk.event_parked TO idemdesk_worker;

-- Row-level security stops an index on an array (its operators are not leakproof), so this asks past it and filters
-- by the scope itself.
CREATE FUNCTION idemdesk.events_by_reference(reference text, since timestamptz, until timestamptz)
  RETURNS TABLE (tenant_id uuid, endpoint text, key_hash bytea, occurred_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ''
AS $$
  SELECT e.tenant_id, e.endpoint, e.key_hash, e.occurred_at
  FROM idemdesk.event AS e
  WHERE e.refs @> ARRAY[reference]
    AND e.kind = 'claimed'
    AND e.occurred_at >= since
    AND e.occurred_at < until
    AND e.tenant_id = ANY ((SELECT idemdesk.scope())::uuid[])
  ORDER BY e.occurred_at DESC
  LIMIT 200
$$;
ALTER FUNCTION idemdesk.events_by_reference(text, timestamptz, timestamptz) OWNER TO idemdesk_maintenance;
REVOKE ALL ON FUNCTION idemdesk.events_by_reference(text, timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION idemdesk.events_by_reference(text, timestamptz, timestamptz) TO idemdesk_web, idemdesk_worker;
GRANT EXECUTE ON FUNCTION idemdesk.scope() TO idemdesk_maintenance;

-- Hashes from low to high. A range over a hash is estimated as a share of the whole table, and the planner then prefers
-- to read every event of the scope's tenants: OFFSET 0 keeps the tenants out of that choice.
CREATE FUNCTION idemdesk.events_by_hash_range(low bytea, high bytea, since timestamptz, until timestamptz)
  RETURNS TABLE (tenant_id uuid, endpoint text, key_hash bytea, occurred_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = ''
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT near.tenant_id, near.endpoint, near.key_hash, near.occurred_at
  FROM (
    SELECT e.tenant_id, e.endpoint, e.key_hash, e.occurred_at
    FROM idemdesk.event AS e
    WHERE e.key_hash >= low AND e.key_hash <= high AND e.occurred_at >= since AND e.occurred_at < until
    OFFSET 0
  ) AS near
  WHERE near.tenant_id = ANY ((SELECT idemdesk.scope())::uuid[]);
END $$;
ALTER FUNCTION idemdesk.events_by_hash_range(bytea, bytea, timestamptz, timestamptz) OWNER TO idemdesk_maintenance;
REVOKE ALL ON FUNCTION idemdesk.events_by_hash_range(bytea, bytea, timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION idemdesk.events_by_hash_range(bytea, bytea, timestamptz, timestamptz)
  TO idemdesk_web, idemdesk_worker;

-- Writes events given as a JSON array of ingest items (camelCase). Answers how many were new; a resend is no error.
-- occurredAt defaults to the database's clock, so a service's own clock decides nothing.
CREATE FUNCTION idemdesk.emit(events jsonb) RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ''
AS $$
DECLARE
  written int;
BEGIN
  INSERT INTO idemdesk.event (
    tenant_id, event_id, occurred_at, kind, endpoint, key_hash, fingerprint, state, replayed, response_status,
    duration_ms, request_id, trace_id, source, error_code, downstream_key_hash, provider_reference, amount, currency,
    refs, customer, retry_after_ms)
  SELECT
    (e ->> 'tenantId')::uuid,
    e ->> 'eventId',
    coalesce((e ->> 'occurredAt')::timestamptz, pg_catalog.clock_timestamp()),
    e ->> 'kind',
    e ->> 'endpoint',
    pg_catalog.decode(e ->> 'keyHash', 'hex'),
    pg_catalog.decode(e ->> 'fingerprint', 'hex'),
    e ->> 'state',
    coalesce((e ->> 'replayed')::boolean, false),
    (e ->> 'responseStatus')::int,
    (e ->> 'durationMs')::numeric::int,
    e ->> 'requestId',
    e ->> 'traceId',
    e ->> 'source',
    e ->> 'errorCode',
    pg_catalog.decode(e ->> 'downstreamKeyHash', 'hex'),
    e ->> 'providerReference',
    (e ->> 'amount')::bigint,
    pg_catalog.upper(e ->> 'currency'),
    CASE WHEN pg_catalog.jsonb_typeof(e -> 'references') = 'array'
      THEN ARRAY(SELECT pg_catalog.jsonb_array_elements_text(e -> 'references')) END,
    CASE WHEN e ->> 'customer' NOT LIKE '%@%' THEN e ->> 'customer' END,
    (e ->> 'retryAfterMs')::int
  FROM pg_catalog.jsonb_array_elements(events) AS e
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS written = ROW_COUNT;
  RETURN written;
EXCEPTION WHEN data_exception OR integrity_constraint_violation THEN
  -- Again one by one, so that a bad item never takes the good ones with it.
  IF pg_catalog.jsonb_array_length(events) > 1 THEN
    RETURN (SELECT coalesce(sum(idemdesk.emit(pg_catalog.jsonb_build_array(e))), 0)
      FROM pg_catalog.jsonb_array_elements(events) AS e);
  END IF;
  INSERT INTO idemdesk.event_parked (reason, item)
  SELECT SQLERRM, e FROM pg_catalog.jsonb_array_elements(events) AS e;
  RETURN 0;
END $$;
ALTER FUNCTION idemdesk.emit(jsonb) OWNER TO idemdesk_owner;
REVOKE ALL ON FUNCTION idemdesk.emit(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION idemdesk.emit(jsonb) TO idemdesk_writer, idemdesk_worker;

-- Creates the days from..until (exclusive) that are missing, each attached (never PARTITION OF, whose lock stops
-- writers). Answers how many were made. Runs as its owner, who owns the table.
CREATE FUNCTION idemdesk.create_event_partitions(from_day date, until_day date) RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ''
AS $$
DECLARE
  day  date;
  name text;
  made int := 0;
BEGIN
  FOR day IN SELECT pg_catalog.generate_series(from_day, until_day - 1, interval '1 day')::date LOOP
    name := 'event_' || pg_catalog.to_char(day, 'YYYYMMDD');
    CONTINUE WHEN pg_catalog.to_regclass('idemdesk.' || name) IS NOT NULL;
    EXECUTE pg_catalog.format(
      'CREATE TABLE idemdesk.%I (LIKE idemdesk.event INCLUDING ALL EXCLUDING IDENTITY)', name);
    EXECUTE pg_catalog.format(
      'ALTER TABLE idemdesk.event ATTACH PARTITION idemdesk.%I FOR VALUES FROM (%L) TO (%L)',
      name, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
    made := made + 1;
  END LOOP;
  RETURN made;
END $$;
ALTER FUNCTION idemdesk.create_event_partitions(date, date) OWNER TO idemdesk_maintenance;
REVOKE ALL ON FUNCTION idemdesk.create_event_partitions(date, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION idemdesk.create_event_partitions(date, date) TO idemdesk_worker, idemdesk_owner;

SELECT idemdesk.create_event_partitions(
  (clock_timestamp() AT TIME ZONE 'UTC')::date - 30, (clock_timestamp() AT TIME ZONE 'UTC')::date + 15);
