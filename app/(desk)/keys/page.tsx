import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { KeyList } from "@/components/keys/key-list";
import { readListQuery } from "@/components/keys/list-query";
import { PageMessages } from "@/components/shell/page-messages";
import { pageScope } from "@/lib/access/page";
import { keySearchOptions } from "@/lib/lookup/client";
import { searchKeys } from "@/lib/lookup/queries";
import { SearchInput } from "@/lib/lookup/schema";
import { Prefetched } from "../prefetch";
import { pageReader } from "../reader";
import { urlQuery } from "../url-query";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("keys"))("title") };
}

export default async function KeysPage({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const request = readListQuery(urlQuery(await searchParams));
  const [{ scope }, reader] = await Promise.all([pageScope("keys.read", request.tenantId), pageReader()]);
  const input = SearchInput.safeParse(request);
  return (
    <PageMessages only={["ui", "frame", "keys", "lookup", "verdict"]}>
      <Prefetched
        fill={async (cache) => {
          if (!input.success) return;
          const queryFn = () => searchKeys(scope, input.data, reader);
          await cache.fetchInfiniteQuery({ ...keySearchOptions(request), queryFn });
        }}
      >
        <KeyList />
      </Prefetched>
    </PageMessages>
  );
}
