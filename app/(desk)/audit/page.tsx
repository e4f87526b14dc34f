import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Ledger } from "@/components/audit/ledger";
import { readLedgerQuery } from "@/components/audit/ledger-query";
import { PageMessages } from "@/components/shell/page-messages";
import { Prefetched } from "../prefetch";
import { urlQuery } from "../url-query";
import { firstPage } from "./first-page";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("ledger"))("title") };
}

interface AuditPageProps {
  searchParams: Promise<Record<string, string | string[]>>;
}

export default async function AuditPage({ searchParams }: AuditPageProps) {
  const query = readLedgerQuery(urlQuery(await searchParams));
  return (
    <PageMessages only={["ui", "frame", "ledger", "audit"]}>
      <Prefetched fill={await firstPage(query)}>
        <Ledger />
      </Prefetched>
    </PageMessages>
  );
}
