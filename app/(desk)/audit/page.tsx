import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { auditOptions } from "@/components/audit/audit-options";
import { Ledger } from "@/components/audit/ledger";
import { readLedgerQuery } from "@/components/audit/ledger-query";
import { PageMessages } from "@/components/shell/page-messages";
import { auditReach } from "@/lib/access/audit-reach";
import { pageScope } from "@/lib/access/page";
import { listAudit } from "@/lib/audit/queries";
import { AuditFilter } from "@/lib/audit/schema";
import { Prefetched } from "../prefetch";
import { urlQuery } from "../url-query";

/** As many as GET /audit gives without being asked for a number. */
const FIRST_PAGE = 50;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("ledger"))("title") };
}

export default async function AuditPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[]>>;
}) {
  const query = readLedgerQuery(urlQuery(await searchParams));
  const filter = AuditFilter.safeParse(query);
  const { principal, scope } = await pageScope("audit.read_own", filter.data?.tenantId);
  return (
    <PageMessages only={["ui", "frame", "ledger", "audit"]}>
      <Prefetched
        fill={async (cache) => {
          if (!filter.success) return;
          const queryFn = () => listAudit(scope, auditReach(principal), filter.data, { limit: FIRST_PAGE });
          await cache.fetchInfiniteQuery({ ...auditOptions(query), queryFn });
        }}
      >
        <Ledger />
      </Prefetched>
    </PageMessages>
  );
}
