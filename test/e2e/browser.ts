import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

const NAMES = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
const PACKAGES = ["chromium", "fonts-noto-cjk"];

const HOW_TO_INSTALL = `The browser tests need Chrome or Chromium, and none was found. Install one of these and run again:
  npx playwright install --with-deps chromium
  sudo apt-get update && sudo apt-get install -y ${PACKAGES.join(" ")}
  Google Chrome from https://www.google.com/chrome`;

/** A browser's program: Playwright's own, Chrome or Chromium; installed where that needs nobody's leave. Throws how to. */
export function findOrInstallBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  if (process.getuid?.() === 0 && onPath("apt-get")) installFromDebian();
  const installed = findBrowser();
  if (!installed) throw new Error(HOW_TO_INSTALL);
  return installed;
}

function findBrowser(): string | undefined {
  const candidates = [chromium.executablePath(), ...NAMES.map((name) => onPath(name) ?? ""), ...PLACES];
  return candidates.find((path) => path !== "" && existsSync(path));
}

function onPath(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find((path) => existsSync(path));
}

/** A fresh container has no package lists, so they are fetched first. */
function installFromDebian(): void {
  process.stdout.write(`No browser found. Installing ${PACKAGES.join(" and ")} with apt-get …\n`);
  aptGet("update", "-qq");
  aptGet("install", "-y", "-qq", "--no-install-recommends", ...PACKAGES);
}

function aptGet(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status } = spawnSync("apt-get", args, { env, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`apt-get ${args[0]} failed.\n${HOW_TO_INSTALL}`);
}
