import { defineConfig } from "prisma/config";

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  experimental: { externalTables: true },
  tables: { external: ["idemdesk.key"] },
  datasource: { url: process.env.IDEMDESK_OWNER_DATABASE_URL ?? process.env.DATABASE_URL ?? "" },
});
