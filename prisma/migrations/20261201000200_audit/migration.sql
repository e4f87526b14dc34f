-- The audit: append-only, hash-chained, one gapless chain per tenant (chain id = tenant id) and one called 'system'.

CREATE TABLE idemdesk.audit_chain (
  tenant_id uuid,
  chain     text PRIMARY KEY,
  seq       bigint NOT NULL,
  hash      bytea  NOT NULL
);

-- Unpartitioned, so that the statement trigger guards TRUNCATE of all of it.
CREATE TABLE idemdesk.audit_entry (
  tenant_id     uuid,
  chain         text        NOT NULL,
  seq           bigint      NOT NULL,
  at            timestamptz NOT NULL,
  actor_kind    text        NOT NULL CHECK (actor_kind IN ('operator', 'token', 'system', 'terminal', 'anonymous')),
  actor_id      text        NOT NULL,
  actor_label   text        NOT NULL,
  action        text        NOT NULL CHECK (action <> ''),
  target_type   text        NOT NULL,
  target_id     text        NOT NULL,
  outcome       text        NOT NULL CHECK (outcome IN ('done', 'denied', 'failed')),
  reason        text,
  text          text        NOT NULL,
  previous_hash bytea       NOT NULL CHECK (octet_length(previous_hash) = 32),
  hash          bytea       NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (chain, seq),
  -- Backstop: two entries with one parent are a fork.
  UNIQUE (chain, previous_hash)
);
-- The unfiltered ledger, newest first over every chain of the scope.
CREATE INDEX audit_entry_newest ON idemdesk.audit_entry (at DESC, chain, seq);
CREATE INDEX audit_entry_time ON idemdesk.audit_entry (chain, at, seq);
CREATE INDEX audit_entry_target ON idemdesk.audit_entry (target_type, target_id, chain, seq);
CREATE INDEX audit_entry_actor ON idemdesk.audit_entry (actor_id, at);
ALTER TABLE idemdesk.audit_chain OWNER TO idemdesk_owner;
ALTER TABLE idemdesk.audit_entry OWNER TO idemdesk_owner;

-- Appends one entry: the last statement before COMMIT, one chain a transaction, because the chain's head stays locked
-- until then. hash = SHA-256 (previous hash, then the UTF-8 bytes of text); text is JSON of every other field.
CREATE FUNCTION idemdesk.append_audit(
  chain text, actor jsonb, action text, target jsonb, outcome text, reason text, details jsonb DEFAULT NULL
) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ''
AS $$
DECLARE
  entry_chain   text := append_audit.chain;
  entry_tenant  uuid;
  entry_seq     bigint;
  entry_at      timestamptz;
  entry_text    text;
  previous      bytea;
  entry_hash    bytea;
BEGIN
  IF entry_chain <> 'system' THEN
    entry_tenant := pg_catalog.regexp_replace(entry_chain, '^events:', '')::uuid;
    IF NOT pg_catalog.pg_has_role(session_user, 'idemdesk_worker', 'MEMBER')
      AND (entry_tenant = ANY (idemdesk.scope())) IS NOT TRUE THEN
      RAISE EXCEPTION 'chain % is outside the scope', entry_chain USING ERRCODE = 'insufficient_privilege';
    END IF;
  END IF;

  LOOP
    SELECT head.seq + 1, head.hash INTO entry_seq, previous
    FROM idemdesk.audit_chain AS head WHERE head.chain = entry_chain FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO idemdesk.audit_chain (tenant_id, chain, seq, hash)
    VALUES (entry_tenant, entry_chain, 0, pg_catalog.decode(pg_catalog.repeat('00', 32), 'hex'))
    ON CONFLICT ON CONSTRAINT audit_chain_pkey DO NOTHING;
  END LOOP;

  entry_at := pg_catalog.clock_timestamp();
  entry_text := pg_catalog.json_build_object(
    'chain', entry_chain,
    'seq', entry_seq::text,
    'at', idemdesk.utc(entry_at),
    'actor', pg_catalog.json_build_object('kind', actor ->> 'kind', 'id', actor ->> 'id', 'label', actor ->> 'label'),
    'action', action,
    'target', pg_catalog.json_build_object('type', target ->> 'type', 'id', target ->> 'id'),
    'outcome', outcome,
    'reason', reason,
    'details', coalesce(details, '{}'::jsonb))::text;
  entry_hash := pg_catalog.sha256(previous || pg_catalog.convert_to(entry_text, 'UTF8'));

  INSERT INTO idemdesk.audit_entry (
    tenant_id, chain, seq, at, actor_kind, actor_id, actor_label, action, target_type, target_id, outcome, reason,
    text, previous_hash, hash)
  VALUES (
    entry_tenant, entry_chain, entry_seq, entry_at, actor ->> 'kind', actor ->> 'id', actor ->> 'label', action,
    target ->> 'type', target ->> 'id', outcome, reason, entry_text, previous, entry_hash);

  UPDATE idemdesk.audit_chain AS head SET seq = entry_seq, hash = entry_hash WHERE head.chain = entry_chain;
  RETURN entry_seq;
END $$;
ALTER FUNCTION idemdesk.append_audit(text, jsonb, text, jsonb, text, text, jsonb) OWNER TO idemdesk_owner;
REVOKE ALL ON FUNCTION idemdesk.append_audit(text, jsonb, text, jsonb, text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION idemdesk.append_audit(text, jsonb, text, jsonb, text, text, jsonb)
  TO idemdesk_web, idemdesk_worker, idemdesk_maintenance;

CREATE FUNCTION idemdesk.refuse_change() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
ALTER FUNCTION idemdesk.refuse_change() OWNER TO idemdesk_owner;
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON idemdesk.audit_entry
  FOR EACH ROW EXECUTE FUNCTION idemdesk.refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON idemdesk.audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION idemdesk.refuse_change();

ALTER TABLE idemdesk.audit_entry ENABLE ROW LEVEL SECURITY;
-- The system chain speaks of operators and settings: read under the scope of all tenants only.
CREATE POLICY web_scope ON idemdesk.audit_entry FOR SELECT TO idemdesk_web
  USING (tenant_id = ANY ((SELECT idemdesk.scope())::uuid[])
    OR (tenant_id IS NULL AND (SELECT current_setting('idemdesk.tenants', true)) = '*'));
CREATE POLICY worker_read ON idemdesk.audit_entry FOR SELECT TO idemdesk_worker USING (true);
GRANT SELECT ON idemdesk.audit_entry TO idemdesk_web, idemdesk_worker;
