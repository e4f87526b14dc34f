import type { Route } from "@/lib/http/route";
import * as auditEntry from "../audit/[chain]/[seq]/route";
import * as audit from "../audit/route";
import * as search from "../keys/search/route";
import * as password from "../me/password/route";
import * as me from "../me/route";
import * as sessions from "../me/sessions/route";
import * as credentials from "../sandbox/credentials/route";
import * as chain from "../tenants/[tenantId]/keys/[id]/chain/route";
import * as notes from "../tenants/[tenantId]/keys/[id]/notes/route";
import * as reveal from "../tenants/[tenantId]/keys/[id]/reveal/route";
import * as key from "../tenants/[tenantId]/keys/[id]/route";
import * as chainByHash from "../tenants/[tenantId]/keys/by-hash/[hash]/chain/route";
import * as keyByHash from "../tenants/[tenantId]/keys/by-hash/[hash]/route";
import * as tenants from "../tenants/route";
import * as view from "../views/[id]/route";
import * as views from "../views/route";

const account = [me, password, sessions, tenants];
const keys = [search, key, keyByHash, chain, chainByHash, reveal, notes];
const rest = [audit, auditEntry, views, view, credentials];

/** Every route under `/api/v1`, for its description. A test fails where one is missing. */
export const routes: Route[] = [...account, ...keys, ...rest].flatMap((module) => Object.values<Route>(module));
