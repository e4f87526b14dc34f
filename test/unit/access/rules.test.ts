import { describe, expect, test } from "vitest";
import { can, rightsOf, tenantsWith } from "@/lib/access/rules";
import { Right, Role } from "@/lib/access/schema";

const A = "00000000-0000-4000-8000-00000000000a";
const B = "00000000-0000-4000-8000-00000000000b";

const person = (...grants: [Role, string | null][]) => ({
  kind: "operator" as const,
  grants: grants.map(([role, tenantId]) => ({ role, tenantId })),
});

/** The table of the access rules, written out a second time on purpose: a change of one alone fails. */
const table: Record<Role, string> = {
  support: "desk.use keys.read keys.note keys.reveal cases.read cases.open_repeated",
  oncall: `desk.use keys.read keys.note keys.reveal keys.reveal_unmasked cases.read cases.open_repeated cases.work
    cases.work_repeated cases.approve audit.read_own cleanup.read`,
  finance: `desk.use keys.read keys.note keys.reveal keys.reveal_unmasked cases.read cases.open_repeated
    cases.work_repeated cases.approve audit.read audit.read_own reports.read reports.export reports.close_period
    cleanup.read`,
  auditor: "desk.use keys.read cases.read audit.read audit.read_own reports.read reports.export cleanup.read",
  admin: `desk.use keys.read keys.note keys.reveal keys.reveal_unmasked cases.read audit.read audit.read_own reports.read
    reports.export cleanup.read cleanup.run settings.change`,
  ingest: "events.write",
};

test.each(Role.options)("%s holds exactly its rights", (role) => {
  expect(rightsOf(person([role, null])).sort()).toEqual(table[role].split(/\s+/).sort());
});

describe("a right is held", () => {
  test("over the tenants of the grants that give it, and no others", () => {
    const mixed = person(["support", A], ["finance", B]);
    expect(tenantsWith(mixed, "keys.read")).toEqual([A, B]);
    expect(tenantsWith(mixed, "audit.read")).toEqual([B]);
    expect([can(mixed, "audit.read", A), can(mixed, "audit.read", B), can(mixed, "audit.read")]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("over all tenants by one grant without a tenant, whatever else there is", () => {
    expect(tenantsWith(person(["support", A], ["oncall", null]), "keys.read")).toBe("*");
    expect(tenantsWith(person(["support", null], ["finance", A]), "audit.read")).toEqual([A]);
  });

  test("whatever the case a tenant's id is spelled in", () => {
    expect(can(person(["support", A]), "keys.read", A.toUpperCase())).toBe(true);
  });

  test("by nobody without a grant", () => {
    for (const right of Right.options) expect(can(person(), right)).toBe(false);
  });
});

test("a service account decides nothing and runs no cleanup, whatever its role", () => {
  for (const role of Role.options) {
    const service = { kind: "service" as const, grants: [{ role, tenantId: null }] };
    for (const right of ["cases.work", "cases.work_repeated", "cases.approve", "cleanup.run"] as const) {
      expect(can(service, right)).toBe(false);
    }
  }
});
