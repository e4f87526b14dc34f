import { expect, test } from "@playwright/test";
import { createOperator, signIn } from "./operator";
import { pay } from "./sandbox";
import { expectAccessible, expectNoSidewaysScroll, watch } from "./watch";

test("every page is reached and worked by the keyboard alone", async ({ page }) => {
  const seen = watch(page);
  await signIn(page, await createOperator({ name: "Ada Lovelace", role: "admin" }));
  const rows = page.getByRole("row");
  await expect.poll(() => rows.count()).toBeGreaterThan(2);

  await page.keyboard.press("j");
  await expect(rows.nth(1).getByRole("link")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/keys\/[0-9a-f-]{36}\//);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.waitForURL(/\/audit/);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.insertText("Keys");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/keys$/);
  expect(seen.errors).toEqual([]);
});

test("fits a phone", async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const seen = watch(page);
  await signIn(page, await createOperator({ name: "Ada Lovelace", role: "admin" }));
  const { key } = await pay(context.request);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Find an operation" }).fill(key);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Executed once");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Open the pages" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Audit" }).click();
  await page.waitForURL(/\/audit/);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(seen.errors).toEqual([]);
});

test("language, zone and theme hold over pages and reloads", async ({ page }) => {
  const seen = watch(page);
  await signIn(page, await createOperator({ name: "Ada Lovelace", role: "admin" }));
  await page.getByRole("button", { name: "中文" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await page.getByRole("button", { name: /时区/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.insertText("Shanghai");
  await page.keyboard.press("Enter");
  await expect(page.locator("main time").first()).toContainText("+08:00");
  await page.getByRole("button", { name: /主题/ }).click();
  await page.getByRole("button", { name: /浅色/ }).click();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await expectAccessible(page);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await expect(page.locator("main time").first()).toContainText("+08:00");
  expect(seen.errors).toEqual([]);
});

test("after sign-out the back button shows nothing of the desk", async ({ page }) => {
  await signIn(page, await createOperator({ name: "Ada Lovelace", role: "admin" }));
  await expect.poll(() => page.getByRole("row").count()).toBeGreaterThan(2);
  await page.getByRole("button", { name: /Signed in as Ada Lovelace/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await page.goBack();
  await page.waitForURL(/\/sign-in/);
  await expect(page.getByRole("row")).toHaveCount(0);
});
