import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  resolve: {
    // Server files begin with `import "server-only"`, which throws anywhere but in a server bundle.
    alias: { "@/": root, "server-only": `${root}node_modules/server-only/empty.js` },
  },
  test: {
    pool: "forks",
    maxWorkers: 2,
    execArgv: ["--conditions=react-server"],
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "unit", include: ["test/unit/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "db",
          include: ["test/db/**/*.test.ts"],
          globalSetup: "test/postgres-server.ts",
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "nightly",
          include: ["test/nightly/**/*.test.ts"],
          globalSetup: "test/postgres-server.ts",
          testTimeout: 3_600_000,
        },
      },
    ],
  },
});
