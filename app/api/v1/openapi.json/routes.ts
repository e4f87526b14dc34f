import type { Route } from "@/lib/http/route";
import * as auditEntry from "../audit/[chain]/[seq]/route";
import * as audit from "../audit/route";
import * as password from "../me/password/route";
import * as me from "../me/route";
import * as sessions from "../me/sessions/route";
import * as tenants from "../tenants/route";
import * as view from "../views/[id]/route";
import * as views from "../views/route";

/** Every route of the API, for its description. A test fails where one is missing. */
export const routes: Route[] = [me, password, sessions, tenants, audit, auditEntry, views, view].flatMap((module) =>
  Object.values<Route>(module),
);
