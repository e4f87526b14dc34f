/** Generates the Prisma client without the schema engine, which `generate` does not use but insists on locating. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const prisma = "node_modules/prisma/build/index.js";
if (existsSync(prisma)) {
  const { status, stderr } = spawnSync(process.execPath, [prisma, "generate"], {
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1" },
    encoding: "utf8",
  });
  if (status !== 0) {
    process.stderr.write(stderr);
    process.exit(status ?? 1);
  }
}
