import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import type { BrowserContext, Page } from "@playwright/test";

const run = promisify(execFile);

export interface NewOperator {
  name: string;
  role: "support" | "oncall" | "finance" | "auditor" | "admin";
  /** `all`, or tenant ids with commas between them. */
  tenants?: string;
}

/** Makes an operator in the desk under test as an administrator does, and answers its one-time sign-in link. */
export async function createOperator({ name, role, tenants = "all" }: NewOperator): Promise<string> {
  const email = `${role}-${randomUUID()}@example.com`;
  const program = ["--conditions=react-server", "--import", "tsx", "lib/cli/operator.ts", "create"];
  const options = ["--email", email, "--name", name, "--role", role, "--tenants", tenants];
  const { IDEMDESK_TEST_DATA_DIR: dataDir, IDEMDESK_TEST_URL: address } = process.env;
  const env = { ...process.env, IDEMDESK_DATA_DIR: dataDir, NEXTAUTH_URL: address, DATABASE_URL: "" };
  const { stdout } = await run(process.execPath, [...program, ...options], { env });
  const link = new URL(stdout.trim());
  return `${address}${link.pathname}${link.hash}`;
}

/** Signs in by the link, as a person does: opens it and presses the one button. Ends on the keys page. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button").click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in/link"));
  await page.goto("/keys");
}

/** Chooses the language as the desk keeps it. */
export async function speak(context: BrowserContext, locale: "en" | "zh"): Promise<void> {
  await context.addCookies([{ name: "idemdesk-locale", value: locale, url: process.env.IDEMDESK_TEST_URL ?? "" }]);
}
