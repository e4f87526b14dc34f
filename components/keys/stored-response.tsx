"use client";

import { useTranslations } from "next-intl";
import { useCan } from "@/components/shell/me";
import { FactsList } from "@/components/ui/facts-list";
import { KeyText } from "@/components/ui/key-text";
import { PlainButton } from "@/components/ui/plain-button";
import { Section } from "@/components/ui/section";
import type { KeyDetail } from "@/lib/lookup/schema";
import type { RevealTarget } from "./reveal-dialog";
import classes from "./stored-response.module.css";
import { useByteSize } from "./use-byte-size";

/** What a replay would answer. The body stays closed until someone says why they look. */
export function StoredResponse({ detail, onReveal }: { detail: KeyDetail; onReveal: (what: RevealTarget) => void }) {
  const t = useTranslations("key");
  const size = useByteSize();
  const mayReveal = useCan("keys.reveal", detail.tenantId) && detail.id !== null;
  const hasBody = detail.bodyBytes !== null && detail.bodyBytes > 0;
  return (
    <Section
      title={t("response.title")}
      aside={
        mayReveal && hasBody ? <PlainButton onClick={() => onReveal("body")}>{t("reveal.body")}</PlainButton> : null
      }
    >
      <FactsList
        items={[
          [
            t("response.status"),
            <span key="status" className="mono">
              {detail.responseStatus ?? t("none")}
            </span>,
          ],
          [
            t("response.body"),
            hasBody ? t("response.stored", { size: size(detail.bodyBytes ?? 0) }) : t("response.noBody"),
          ],
        ]}
      />
      {detail.headers.length === 0 ? null : (
        <table className={classes.headers}>
          <caption className="visually-hidden">{t("response.headers")}</caption>
          <tbody>
            {detail.headers.map(({ name, value, masked }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a header may come twice with one value; their order is fixed
              <tr key={index}>
                <th scope="row">
                  <KeyText text={name} />
                </th>
                <td>
                  {masked ? <span className={classes.masked}>{t("response.masked")}</span> : <KeyText text={value} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {mayReveal && detail.headers.some(({ masked }) => masked) ? (
        <PlainButton onClick={() => onReveal("headers")}>{t("reveal.headers")}</PlainButton>
      ) : null}
    </Section>
  );
}
