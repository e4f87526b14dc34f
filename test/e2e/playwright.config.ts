import { defineConfig } from "@playwright/test";

/** Set by `run.ts`, which starts the desk these tests look at. */
const { IDEMDESK_TEST_URL, IDEMDESK_TEST_BROWSER } = process.env;

/** For Debian's Chromium in a container: no sandbox as root, no GPU, nothing fetched behind the tests' back. */
const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  // The desk, its traffic and a browser share two cores as it is.
  workers: 1,
  // A test that passes only the second time has failed.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // On a laden machine making an operator from the terminal alone takes ten seconds.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    baseURL: IDEMDESK_TEST_URL,
    launchOptions: { executablePath: IDEMDESK_TEST_BROWSER, args: CHROMIUM_FLAGS },
    viewport: { width: 1280, height: 800 },
    // Far from the server's UTC, so that a page drawn in the wrong zone shows as a hydration error.
    timezoneId: "America/New_York",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
