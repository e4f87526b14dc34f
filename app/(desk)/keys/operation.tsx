import { KeyView } from "@/components/keys/key-view";
import { PageMessages } from "@/components/shell/page-messages";
import { pageScope } from "@/lib/access/page";
import { type KeyAddress, keyChainOptions, keyDetailOptions } from "@/lib/lookup/client";
import { readChain, readDetail } from "@/lib/lookup/queries";
import { Prefetched } from "../prefetch";
import { pageReader } from "../reader";

/** The page of one operation, however its address names it. */
export async function Operation({ address }: { address: KeyAddress }) {
  const [{ scope }, reader] = await Promise.all([pageScope("keys.read", address.tenantId), pageReader()]);
  return (
    <PageMessages only={["ui", "frame", "key", "verdict", "hints", "lookup", "audit"]}>
      <Prefetched
        fill={(cache) =>
          Promise.all([
            cache.fetchQuery({ ...keyDetailOptions(address), queryFn: () => readDetail(scope, address, reader) }),
            cache.fetchQuery({ ...keyChainOptions(address), queryFn: () => readChain(scope, address, reader) }),
          ])
        }
      >
        <KeyView address={address} />
      </Prefetched>
    </PageMessages>
  );
}
