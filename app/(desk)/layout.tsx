import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Frame } from "@/components/shell/frame";
import { PageMessages } from "@/components/shell/page-messages";
import { tenantsOptions } from "@/components/shell/tenants";
import { describeCaller } from "@/lib/access/account";
import { pageScope } from "@/lib/access/page";
import { TenantFilter } from "@/lib/access/schema";
import { listTenants } from "@/lib/access/tenants";
import { parsePreferences } from "@/lib/i18n/preferences";
import { deskEnvironment } from "./environment";
import { Prefetched } from "./prefetch";

export default async function DeskLayout({ children }: { children: ReactNode }) {
  const [{ principal, scope }, jar] = await Promise.all([pageScope("desk.use"), cookies()]);
  const me = await describeCaller(principal);
  const preferences = parsePreferences((name) => jar.get(name)?.value);
  const queryFn = () => listTenants(scope, TenantFilter.parse({}));
  return (
    <PageMessages only={["ui", "frame"]}>
      <Prefetched fill={(cache) => cache.fetchQuery({ ...tenantsOptions(""), queryFn })}>
        <Frame me={me} environment={deskEnvironment()} preferences={preferences}>
          {children}
        </Frame>
      </Prefetched>
    </PageMessages>
  );
}
