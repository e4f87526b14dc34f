import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Collects what must stay empty over a whole test: errors of the page, and addresses that tell a secret. */
export function watch(page: Page) {
  const errors: string[] = [];
  const told: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => {
    told.push(request.url(), request.headers().referer ?? "");
  });
  page.on("framenavigated", (frame) => told.push(frame.url()));
  return {
    errors,
    /** Every address and referrer so far that holds the secret. */
    leaks: (secret: string) => told.filter((address) => decodeURIComponent(address).includes(secret)),
  };
}

/** Fails on whatever axe calls serious or critical on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated, not added as a script: the page's security policy would refuse a script without its nonce.
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const { axe: run } = window as unknown as { axe: typeof axe };
    const { violations } = await run.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
  expect(violations).toEqual([]);
}

/** Fails where the page is wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect(content).toBeLessThanOrEqual(screen ?? 0);
}
