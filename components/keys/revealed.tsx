"use client";

import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/ui/copy-button";
import { escapeUnseen } from "@/components/ui/escape";
import { FactsList } from "@/components/ui/facts-list";
import { HashText, KeyText } from "@/components/ui/key-text";
import type { RevealAnswer, RevealedBody } from "@/lib/lookup/schema";
import classes from "./dialog.module.css";
import { DownloadButton } from "./download-button";
import { useByteSize } from "./use-byte-size";

interface RevealedProps {
  answer: RevealAnswer;
  tenantId: string;
  id: string;
  reason: string;
}

/** What was asked for. All of it is text: nothing stored can run. */
export function Revealed({ answer, tenantId, id, reason }: RevealedProps) {
  const t = useTranslations("key");
  if (answer.what === "body") return <Body body={answer} tenantId={tenantId} id={id} reason={reason} />;
  if (answer.what === "key") {
    return (
      <>
        <pre className={classes.body} data-revealed="key">
          <bdi>{answer.shown}</bdi>
        </pre>
        <p className={classes.note}>
          {t("reveal.keyNote")} <CopyButton value={answer.key} label={t("key")} />
        </p>
      </>
    );
  }
  return (
    <FactsList
      items={answer.headers.map(({ name, value }) => [name, <KeyText key={name} text={value} copyLabel={name} />])}
    />
  );
}

function Body({ body, tenantId, id, reason }: { body: RevealedBody } & Omit<RevealedProps, "answer">) {
  const t = useTranslations("key");
  const size = useByteSize();
  return (
    <>
      {body.problem === null ? null : <p role="alert">{t(`reveal.problem.${body.problem}`)}</p>}
      {body.view === "none" ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a body longer than its box must scroll by keyboard
        <pre className={classes.body} data-revealed="body" tabIndex={0}>
          <bdi>{visible(body.text)}</bdi>
        </pre>
      )}
      <FactsList
        items={[
          [t("reveal.type"), body.contentType === null ? t("none") : <KeyText key="type" text={body.contentType} />],
          [t("reveal.size"), body.bytes === null ? t("notMeasured") : size(body.bytes)],
          [t("reveal.storedAs"), size(body.storedBytes)],
          [
            "SHA-256",
            body.sha256 === null ? (
              t("notMeasured")
            ) : (
              <HashText key="sha" hash={body.sha256} whole copyLabel="SHA-256" />
            ),
          ],
        ]}
      />
      <p className={classes.note}>
        <span>
          {body.truncated ? `${t("reveal.truncated")} ` : ""}
          {body.maskedValues > 0 ? t("reveal.maskedValues", { count: body.maskedValues }) : ""}
        </span>
        {body.downloadable ? <DownloadButton tenantId={tenantId} id={id} reason={reason} /> : null}
      </p>
    </>
  );
}

/** Line ends and tabs keep their shape; everything else that cannot be seen is spelled out. */
function visible(text: string): string {
  return escapeUnseen(text)
    .map((run) => (run.text === "\\u{a}" ? "\n" : run.text === "\\u{9}" ? "\t" : run.text))
    .join("");
}
