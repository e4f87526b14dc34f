import { expect, test } from "@playwright/test";
import { createOperator, signIn, speak } from "./operator";
import { pay } from "./sandbox";
import { expectAccessible, watch } from "./watch";

const words = {
  en: {
    executedOnce: "Executed once under this key",
    reveal: "Reveal body",
    reason: "Why do you need to see it?",
    replay: "replay",
    audit: "Audit",
  },
  zh: { executedOnce: "执行了一次", reveal: "查看正文", reason: "为什么需要查看？", replay: "重放", audit: "审计" },
} as const;

for (const locale of ["en", "zh"] as const) {
  test(`a raw key leads to the verdict, the chain, the body and its audit entry (${locale})`, async ({
    page,
    context,
  }) => {
    const said = words[locale];
    await speak(context, locale);
    const seen = watch(page);
    await signIn(page, await createOperator({ name: "Ada Lovelace", role: "admin" }));
    await expect(page).toHaveTitle(/Idemdesk/);
    await expectAccessible(page);
    const { key } = await pay(context.request, { retries: 2 });

    await page.keyboard.press("/");
    await page.keyboard.insertText(key);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/keys\/[0-9a-f-]{36}\/(\d+|by-hash)/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(said.executedOnce);

    const rows = page.locator("tr[data-outcome]");
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(3);
    await expect(rows.nth(0)).toHaveAttribute("data-outcome", "executed");
    await expect(rows.nth(2)).toContainText(said.replay);
    await expectAccessible(page);

    const marks = page.locator("svg [role=button]");
    await marks.first().focus();
    await page.keyboard.press("ArrowRight");
    await expect(rows.nth(1)).toHaveAttribute("data-selected", "true");
    await expect(page).toHaveURL(/attempt=/);

    const reason = `Customer asks for the amount, ${key.slice(0, 8)}`;
    await page.getByRole("button", { name: said.reveal }).click();
    await page.getByLabel(said.reason).fill(reason);
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: said.reveal }).click();
    await expect(page.locator("[data-revealed=body]")).toContainText("4217");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await page.getByRole("navigation").getByRole("link", { name: said.audit }).click();
    const entry = page.locator("tr[data-action='key.revealed']", { hasText: reason });
    await expect(entry).toBeVisible();
    await expectAccessible(page);
    await entry.getByRole("button").click();
    await expect(page.getByRole("dialog")).toContainText(reason);
    await expect(page.getByRole("dialog").locator("pre")).toContainText('"key.revealed"');
    await expectAccessible(page);

    expect(seen.leaks(key)).toEqual([]);
    expect(seen.errors).toEqual([]);
  });
}

test("a text that names nothing is answered with what was searched and what to try", async ({ page }) => {
  const seen = watch(page);
  await signIn(page, await createOperator({ name: "Sam Support", role: "support" }));
  const secret = `no-such-key-${Date.now()}`;
  await page.getByRole("textbox", { name: "Find an operation" }).fill(secret);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /No record and no attempt|could not be looked for/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Searched", exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "What to try" })).toBeVisible();
  await expectAccessible(page);
  expect(seen.leaks(secret)).toEqual([]);
  expect(seen.errors).toEqual([]);
});

test("support sees no page it has no right to, and is told so on asking", async ({ page }) => {
  await signIn(page, await createOperator({ name: "Sam Support", role: "support" }));
  await expect(page.getByRole("navigation").getByRole("link", { name: "Keys" })).toBeVisible();
  await expect(page.getByRole("navigation").getByRole("link", { name: "Audit" })).toHaveCount(0);
  const answer = await page.goto("/audit");
  expect(answer?.status()).toBe(403);
  await expect(page.getByRole("heading")).toContainText("does not hold the right");
});
