import { describe, expect, test } from "vitest";
import { z } from "zod";
import { NewOperator } from "@/lib/access/schema";
import { parseFlags, TenantsFlag, UntilFlag } from "@/lib/cli/terminal";

const tenant = "3B241101-E2BB-4255-8CAF-4136C566A962";
const operator = { email: "Ann@Desk.Test", name: " Ann ", role: "support", tenants: "*" };

test("tenants are all, or ids in their one spelling", () => {
  expect(TenantsFlag.parse("all")).toBe("*");
  expect(TenantsFlag.parse(`${tenant}, ${tenant}`)).toEqual([tenant.toLowerCase(), tenant.toLowerCase()]);
  for (const bad of ["", "*", "ALL", "1", `${tenant},`]) expect(TenantsFlag.safeParse(bad).success, bad).toBe(false);
});

test("a tenant named twice is granted once", () => {
  const named = NewOperator.parse({ ...operator, tenants: [tenant, tenant.toLowerCase()] });
  expect(named.tenants).toEqual([tenant.toLowerCase()]);
});

test("an end given as a day is the end of that day in UTC", () => {
  expect(UntilFlag.parse("2999-12-31").toISOString()).toBe("3000-01-01T00:00:00.000Z");
  expect(UntilFlag.parse("2999-12-31T10:00:00+02:00").toISOString()).toBe("2999-12-31T08:00:00.000Z");
  for (const bad of ["2020-01-01", "tomorrow", "2999-13-01", ""])
    expect(UntilFlag.safeParse(bad).success, bad).toBe(false);
});

describe("an operator", () => {
  test("has a lower-case address and a trimmed name", () => {
    expect(NewOperator.parse(operator)).toMatchObject({ email: "ann@desk.test", name: "Ann" });
  });
  test.each([
    ["role", "root"],
    ["role", "ingest"],
    ["role", "auditor"],
    ["email", "a"],
    ["name", " "],
    ["tenants", []],
  ])("is refused with %s %j", (name, value) => {
    expect(NewOperator.safeParse({ ...operator, [name]: value }).success).toBe(false);
  });
});

test("what is wrong is named by its flag, once, before the usage", () => {
  const shape = z.strictObject({ role: z.enum(["a"], "must be a"), tenants: TenantsFlag });
  expect(() => parseFlags(shape, { role: "b", tenants: "x,y" }, "Usage: …")).toThrow(
    "--role: must be a\n\n--tenants: must be `all` or tenant ids\n\nUsage: …",
  );
});
