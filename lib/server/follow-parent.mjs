/** Preloaded into every process the launcher starts: where the launcher dies without a word, they end too. */
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
