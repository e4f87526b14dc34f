/**
 * Preloaded into every process the launcher starts: where the launcher dies without a word, they end too.
 * Their own workers inherit the preload and must not: their channel is how they are given work.
 */
if (process.ppid === Number(process.env.IDEMDESK_LAUNCHER)) {
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}
