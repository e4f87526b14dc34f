"use client";

import { useTranslations } from "next-intl";
import { useCan } from "@/components/shell/me";
import { FactsList } from "@/components/ui/facts-list";
import { HashText, KeyText } from "@/components/ui/key-text";
import { PlainButton } from "@/components/ui/plain-button";
import { Section } from "@/components/ui/section";
import { StateChip } from "@/components/ui/state-chip";
import { Timestamp } from "@/components/ui/timestamp";
import type { KeyDetail } from "@/lib/lookup/schema";
import { keyLook } from "./looks";
import { useMoney } from "./use-money";

/** The row as it stands in their table, and what the events add to it. */
export function KeyRecord({ detail, onReveal }: { detail: KeyDetail; onReveal: (what: "key") => void }) {
  const t = useTranslations("key");
  const money = useMoney();
  const mayReveal = useCan("keys.reveal", detail.tenantId) && detail.id !== null;
  const { operation } = detail;
  const time = (at: string | null) => (at === null ? t("none") : <Timestamp at={at} precision="microsecond" />);
  return (
    <Section
      title={t("record.title")}
      aside={mayReveal ? <PlainButton onClick={() => onReveal("key")}>{t("reveal.key")}</PlainButton> : null}
    >
      <FactsList
        items={[
          [
            t("record.id"),
            detail.id === null ? (
              t("record.gone")
            ) : (
              <HashText key="id" hash={detail.id} whole copyLabel={t("record.id")} />
            ),
          ],
          [
            t("record.state"),
            <StateChip key="state" look={keyLook(detail)}>
              {detail.state ?? t("none")}
            </StateChip>,
          ],
          [t("record.phase"), t(`phase.${detail.phase}`)],
          [
            t("record.key"),
            detail.keyMasked === null ? (
              t("record.gone")
            ) : (
              <span key="key" className="mono">
                <bdi>{detail.keyMasked}</bdi>
              </span>
            ),
          ],
          [t("record.hash"), <HashText key="hash" hash={detail.keyHash} copyLabel={t("record.hash")} />],
          [
            t("record.fingerprint"),
            detail.fingerprint === null ? (
              t("none")
            ) : (
              <HashText key="fp" hash={detail.fingerprint} copyLabel={t("record.fingerprint")} />
            ),
          ],
          [t("record.created"), time(detail.createdAt)],
          [t("record.lease"), time(detail.lockedUntil)],
          [t("record.expires"), time(detail.expiresAt)],
          [t("record.readAt"), time(detail.now)],
          ...(operation.amount === null
            ? []
            : [
                [
                  t("record.amount"),
                  <span key="amount" className="mono">
                    {money(operation.amount, operation.currency)}
                  </span>,
                ] as const,
              ]),
          ...(operation.customer === null
            ? []
            : [
                [
                  t("record.customer"),
                  <KeyText key="customer" text={operation.customer} copyLabel={t("record.customer")} />,
                ] as const,
              ]),
          ...operation.references.map(
            (reference) =>
              [
                t("record.reference"),
                <KeyText key={reference} text={reference} copyLabel={t("record.reference")} />,
              ] as const,
          ),
          ...(operation.providerReference === null
            ? []
            : [
                [
                  t("record.provider"),
                  <KeyText key="provider" text={operation.providerReference} copyLabel={t("record.provider")} />,
                ] as const,
              ]),
        ]}
      />
    </Section>
  );
}
