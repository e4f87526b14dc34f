import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Frame } from "@/components/shell/frame";
import { PageMessages } from "@/components/shell/page-messages";
import { describeCaller } from "@/lib/access/account";
import { pagePrincipal } from "@/lib/access/page";
import { parsePreferences } from "@/lib/i18n/preferences";
import { deskEnvironment } from "./environment";

export default async function DeskLayout({ children }: { children: ReactNode }) {
  const [principal, jar] = await Promise.all([pagePrincipal(), cookies()]);
  const me = await describeCaller(principal);
  const preferences = parsePreferences((name) => jar.get(name)?.value);
  return (
    <PageMessages only={["ui", "frame"]}>
      <Frame me={me} environment={deskEnvironment()} preferences={preferences}>
        {children}
      </Frame>
    </PageMessages>
  );
}
