-- Graphile Worker keeps its tables itself, as the worker's role. Its schema and its list of migrations stand ready, so
-- that the role needs no right to create schemas in the payment database.

CREATE SCHEMA IF NOT EXISTS graphile_worker;
ALTER SCHEMA graphile_worker OWNER TO idemdesk_worker;
CREATE TABLE IF NOT EXISTS graphile_worker.migrations (
  id       int PRIMARY KEY,
  ts       timestamptz NOT NULL DEFAULT now(),
  breaking boolean     NOT NULL DEFAULT false
);
ALTER TABLE graphile_worker.migrations OWNER TO idemdesk_worker;
