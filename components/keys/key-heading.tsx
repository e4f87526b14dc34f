"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useTenantName } from "@/components/shell/use-tenant-name";
import { HashText, KeyText } from "@/components/ui/key-text";
import type { KeyDetail } from "@/lib/lookup/schema";
import { keyHref } from "./addresses";
import classes from "./key-heading.module.css";
import { useMoney } from "./use-money";

/** Which operation this is: tenant, endpoint and key, all three. */
export function KeyHeading({ detail }: { detail: KeyDetail }) {
  const t = useTranslations("key");
  const money = useMoney();
  const tenantName = useTenantName();
  const amount = money(detail.operation.amount, detail.operation.currency);
  return (
    <div className={classes.heading}>
      <p className={classes.name}>
        <KeyText text={detail.endpoint} />
        <HashText hash={detail.keyHash} copyLabel={t("record.hash")} />
        <bdi title={detail.tenantId}>{tenantName(detail.tenantId)}</bdi>
        {amount === "" ? null : <span className="mono">{amount}</span>}
      </p>
      {detail.others.length === 0 ? null : (
        <p className={classes.others}>
          {t("others", { count: detail.others.length })}{" "}
          {detail.others.slice(0, 5).map((other) => (
            <Link key={keyHref(other) + other.createdAt} href={keyHref(other)} prefetch={false}>
              <KeyText text={other.endpoint} />
            </Link>
          ))}
        </p>
      )}
    </div>
  );
}
