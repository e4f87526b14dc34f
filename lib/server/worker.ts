import { type CronItem, Logger, parseCronItems, type Runner, run, type Task } from "graphile-worker";
import { createPool } from "@/lib/db/client";
import { env, requiredEnv } from "@/lib/env";
import { logger } from "@/lib/http/logger";
import { explain } from "./failure";
import { type Job, jobs, type WorkerPools } from "./jobs";

/** Jobs at a time. */
const CONCURRENCY = 4;
/** How often the queue is looked through for jobs whose time has come, in ms. */
const POLL_MS = 1_000;
const STATEMENT_TIMEOUT_MS = 60_000;

function openPools(): WorkerPools {
  const open = (url: string, name: string, max: number) =>
    createPool(url, {
      applicationName: `idemdesk-${name}`,
      max,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      // A session lost in the middle of a job fails that job's query; unheard, the event would end the worker.
    }).on("connect", (client) => client.on("error", () => undefined));
  const { IDEMDESK_MAINTENANCE_DATABASE_URL: maintenance, IDEMDESK_SANDBOX_DATABASE_URL: sandbox } = env();
  return {
    worker: open(requiredEnv("IDEMDESK_WORKER_DATABASE_URL"), "worker", CONCURRENCY + 2),
    maintenance: maintenance ? open(maintenance, "maintenance", 2) : null,
    sandbox: sandbox ? open(sandbox, "sandbox", 2) : null,
  };
}

/**
 * One of each waits at a time, however many workers there are. It has no queue of its own: a killed worker would leave
 * that locked for hours, and every job may be run twice.
 */
const once = (name: string) => ({ jobKey: name });

/** A paced job queues its next run when this one has ended, well or not: that is its retry. */
function task({ name, when, run: work }: Job, pools: WorkerPools): Task {
  if ("cron" in when) return () => work(pools);
  return async (_payload, { addJob }) => {
    await work(pools).catch((error) => logger().warn({ source: "worker", task: name, error }, "a job failed"));
    await addJob(name, {}, { ...once(name), runAt: new Date(Date.now() + when.everySeconds * 1000) });
  };
}

/** A paced job whose worker was killed is queued anew within a minute, one that waits stays as it is. */
function cronOf({ name, when }: Job): CronItem {
  const match = "cron" in when ? when.cron : "* * * * *";
  return { task: name, match, options: { ...once(name), jobKeyMode: "preserve_run_at" }, identifier: name };
}

/** The queue's warnings and errors in our own log; an error's text may quote the database, so only our serializer tells it. */
const queueLogger = new Logger(({ taskIdentifier }) => (level, message, meta) => {
  if (!["warning", "error"].includes(level)) return;
  const error = meta?.error;
  logger().warn({ source: "worker", task: taskIdentifier, error }, error ? "a job failed" : message);
});

/** Runs every job once now and then by its own clock, until told to stop; jobs under way are finished first. */
async function startWorker(pools: WorkerPools): Promise<Runner> {
  const runner = await run({
    pgPool: pools.worker,
    taskList: Object.fromEntries(jobs.map((job) => [job.name, task(job, pools)])),
    parsedCronItems: parseCronItems(jobs.map(cronOf)),
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: queueLogger,
  });
  for (const { name } of jobs) await runner.addJob(name, {}, once(name));
  return runner;
}

async function main(): Promise<void> {
  const pools = openPools();
  const runner = await startWorker(pools);
  const stop = () => void runner.stop();
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  process.send?.("ready");
  await runner.promise;
  await Promise.all([pools.worker, pools.maintenance, pools.sandbox].map((pool) => pool?.end()));
}

main().then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  },
);
