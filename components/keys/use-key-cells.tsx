"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useTenantName } from "@/components/shell/use-tenant-name";
import { HashText, KeyText } from "@/components/ui/key-text";
import { StateChip } from "@/components/ui/state-chip";
import { Timestamp } from "@/components/ui/timestamp";
import { keyHref } from "./addresses";
import type { KeyCells } from "./key-columns";
import { keyLook } from "./looks";
import { useByteSize } from "./use-byte-size";

/** How the list shows each fact of an operation. What is not known stays empty, never zero. */
export function useKeyCells(): KeyCells {
  const t = useTranslations("keys");
  const size = useByteSize();
  const tenantName = useTenantName();
  return useMemo(
    () => ({
      state: (key) => (
        <StateChip look={keyLook(key)}>
          {key.stuck ? t("stuck") : key.phase === "live" ? stateName(t, key.state) : t(`phase.${key.phase}`)}
        </StateChip>
      ),
      status: ({ responseStatus }) => <span className="mono">{responseStatus ?? ""}</span>,
      endpoint: ({ endpoint }) => <KeyText text={endpoint} />,
      key: ({ keyMasked }) => (
        <span className="mono">
          <bdi>{keyMasked ?? ""}</bdi>
        </span>
      ),
      hash: (key) => (
        <Link href={keyHref(key)} prefetch={false}>
          <HashText hash={key.keyHash} />
        </Link>
      ),
      tenant: ({ tenantId }) => <bdi title={tenantId}>{tenantName(tenantId)}</bdi>,
      created: ({ createdAt }) => <Timestamp at={createdAt} precision="second" />,
      expires: ({ expiresAt }) => (expiresAt === null ? "" : <Timestamp at={expiresAt} precision="second" />),
      size: ({ bodyBytes }) => (bodyBytes === null ? "" : <span className="mono">{size(bodyBytes)}</span>),
      match: ({ matchedAs }) => (matchedAs ? t(`reading.${matchedAs}`) : ""),
    }),
    [t, size, tenantName],
  );
}

function stateName(t: ReturnType<typeof useTranslations<"keys">>, state: string | null) {
  if (state === null) return t("noState");
  return t.has(`state.${state}`) ? t(`state.${state}`) : <KeyText text={state} prose />;
}
