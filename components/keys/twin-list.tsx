"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { HashText, KeyText } from "@/components/ui/key-text";
import { StateChip } from "@/components/ui/state-chip";
import { Timestamp } from "@/components/ui/timestamp";
import type { Chain, Twin } from "@/lib/lookup/schema";
import { hashHref, keyHref } from "./addresses";
import table from "./attempts-table.module.css";
import { twinLook } from "./looks";
import { useMoney } from "./use-money";

/** Other keys that may stand for the same operation: a question to ask, not a fault. */
export function TwinList({ chain }: { chain: Chain }) {
  const t = useTranslations("key");
  const twins = [...chain.twins, ...chain.nearTwins];
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t("column.otherKey")}</th>
            <th scope="col">{t("column.shares")}</th>
            <th scope="col">{t("column.outcome")}</th>
            <th scope="col">{t("column.status")}</th>
            <th scope="col">{t("column.time")}</th>
            <th scope="col">{t("column.amount")}</th>
            <th scope="col">{t("column.endpoint")}</th>
          </tr>
        </thead>
        <tbody>
          {twins.map((twin) => (
            <TwinRow key={twin.keyHash + twin.createdAt} twin={twin} tenantId={chain.tenantId} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TwinRow({ twin, tenantId }: { twin: Twin; tenantId: string }) {
  const t = useTranslations("key");
  const money = useMoney();
  const address = { ...twin, id: twin.keyId, tenantId };
  return (
    <tr data-wide>
      <td>
        <Link href={twin.keyId === null ? hashHref(address) : keyHref(address)} prefetch={false}>
          <HashText hash={twin.keyHash} />
        </Link>
      </td>
      <td>{t(`shares.${twin.shares}`)}</td>
      <td>
        <StateChip look={twinLook(twin)}>{t(twin.executed ? "outcome.executed" : "notExecuted")}</StateChip>
      </td>
      <td className={table.figure}>{twin.responseStatus ?? ""}</td>
      <td>
        <Timestamp at={twin.createdAt} precision="millisecond" />
      </td>
      <td className={table.figure}>{money(twin.amount, twin.currency)}</td>
      <td>
        <KeyText text={twin.endpoint} />
      </td>
    </tr>
  );
}
