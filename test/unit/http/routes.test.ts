import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { routes as described } from "@/app/api/v1/openapi.json/routes";
import { Right } from "@/lib/access/schema";
import { openApi } from "@/lib/http/openapi";
import type { Route } from "@/lib/http/route";

const verbs = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Route files that do not run on the wrapper, each with what guards them instead. */
const guardedOtherwise: Record<string, string> = {
  "app/api/auth/[...nextauth]/route.ts": "NextAuth's own double-submit token",
};
/** The sandbox is a payment service of its own: a bearer key on every request and no cookie, on the contract library. */
const isPaymentService = (file: string) => /^app\/api\/sandbox\/v1\/(payments|refunds)\//.test(file);

function filesIn(folder: string, ending: RegExp): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => ending.test(name)).map((name) => `${folder}/${name}`);
}

const routeFiles = filesIn("app", /(^|\/)route\.ts$/);
const files = routeFiles.filter((file) => file.startsWith("app/api/"));
const wrapped = files.filter((file) => !(file in guardedOtherwise) && !isPaymentService(file));

async function routesOf(file: string): Promise<[string, Route][]> {
  const module: Record<string, unknown> = await import(/* @vite-ignore */ resolve(file));
  const found = Object.entries(module).filter(([name]) => verbs.includes(name));
  return found.map(([name, value]) => [name, value as Route]);
}

/** `[id]` in the file's path is `{id}` in the declared one. */
const pathOf = (file: string) => `/${file.slice(4, -"/route.ts".length)}`.replace(/\[(\w+)\]/g, "{$1}");

test("the walk finds the routes", () => {
  expect(wrapped.length).toBeGreaterThan(8);
});

describe.each(wrapped)("%s", (file) => {
  test("declares right, shapes and verb of every route, and takes a key for every change", async () => {
    const routes = await routesOf(file);
    expect(routes.length).toBeGreaterThan(0);
    for (const [verb, route] of routes) {
      expect(route.definition, `${verb} has no wrapper`).toBeDefined();
      const { method, path, right, output, input } = route.definition;
      expect([method, path]).toEqual([verb, pathOf(file)]);
      expect(Right.options).toContain(right);
      expect(output).toBeInstanceOf(z.ZodType);
      const unkeyed = "unkeyed" in route.definition ? route.definition.unkeyed : undefined;
      if (verb !== "GET") expect(route.keyed || (unkeyed?.reason.length ?? 0) > 10, `${verb} takes no key`).toBe(true);
      if (verb === "GET") expect([route.keyed, input]).toEqual([false, undefined]);
    }
  });

  test("a path's tenant is the scope's tenant", async () => {
    for (const [verb, { definition }] of await routesOf(file)) {
      if (/\{(t|tenant|tenantId)\}/.test(definition.path)) expect(definition.tenant, verb).toBeDefined();
    }
  });

  test("is described", async () => {
    if (!file.startsWith("app/api/v1/") || file.includes("openapi.json")) return;
    for (const [, route] of await routesOf(file)) expect(described).toContain(route);
  });
});

test.each(files.filter(isPaymentService))("%s takes its key by the contract library and reads no cookie", (file) => {
  const source = readFileSync(file, "utf8");
  expect(source).not.toMatch(/cookies|next-auth/);
  if (/\bPOST\b/.test(source)) expect(source).toMatch(/lib\/sandbox\//);
});

test("no route outside the API changes anything", () => {
  for (const file of routeFiles.filter((path) => !path.startsWith("app/api/"))) {
    expect(readFileSync(file, "utf8")).not.toMatch(/export[^\n]*\b(POST|PUT|PATCH|DELETE)\b/);
  }
});

test("no server actions: their ids die with a deploy while a tab stays open", () => {
  for (const file of ["app", "components", "lib"].flatMap((folder) => filesIn(folder, /\.tsx?$/))) {
    expect(readFileSync(file, "utf8"), file).not.toMatch(/^\s*["']use server["']/m);
  }
});

test("the description is OpenAPI 3.1 with each operation once", () => {
  const document = openApi(described);
  const operations = Object.entries(document.paths as Record<string, object>).flatMap(([path, item]) =>
    Object.keys(item).map((verb) => `${verb} ${path}`),
  );
  expect(document.openapi).toBe("3.1.0");
  expect(operations).toHaveLength(described.length);
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});
