/**
 * Preloaded into every process the launcher starts: where the launcher dies without a word, they end too.
 * Their own workers inherit the preload and must not: their channel is how they are given work.
 */

/** Ms to finish in. A client that keeps asking on one connection would otherwise hold a web process open for ever. */
const GRACE_MS = 5_000;

if (process.ppid === Number(process.env.IDEMDESK_LAUNCHER)) {
  process.on("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.kill(process.pid, "SIGKILL"), GRACE_MS).unref();
  });
  process.channel?.unref();
}
