"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { Fragment, useState } from "react";
import { useCan } from "@/components/shell/me";
import { KeyText } from "@/components/ui/key-text";
import { PlainButton } from "@/components/ui/plain-button";
import { Section } from "@/components/ui/section";
import { Timestamp } from "@/components/ui/timestamp";
import type { KeyDetail } from "@/lib/lookup/schema";
import classes from "./notes.module.css";

const NoteForm = dynamic(() => import("./note-form").then(({ NoteForm }) => NoteForm), { ssr: false });

/** What people wrote about this key, and the way to add to it. */
export function Notes({ detail }: { detail: KeyDetail }) {
  const t = useTranslations("key");
  const [writing, setWriting] = useState(false);
  const mayWrite = useCan("keys.note", detail.tenantId) && detail.id !== null;
  return (
    <Section
      title={t("notes.title")}
      aside={mayWrite && !writing ? <PlainButton onClick={() => setWriting(true)}>{t("notes.add")}</PlainButton> : null}
    >
      {detail.notes.length === 0 ? <p className={classes.none}>{t("notes.none")}</p> : null}
      <ol>
        {detail.notes.map((note) => (
          <li key={note.id} className={classes.note}>
            <p className={classes.text}>
              <Lines text={note.text} />
            </p>
            <p className={classes.by}>
              <KeyText text={note.author} prose /> · <Timestamp at={note.at} precision="minute" />
              {note.ticket === null ? null : (
                <>
                  {" · "}
                  <Ticket ticket={note.ticket} />
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
      {writing && detail.id !== null ? (
        <NoteForm tenantId={detail.tenantId} id={detail.id} onDone={() => setWriting(false)} />
      ) : null}
    </Section>
  );
}

/** Line ends are a person's own; every other unseen character is spelled out. */
function Lines({ text }: { text: string }) {
  let offset = 0;
  return text.split(/(?<=\n)/).map((line) => {
    const key = offset;
    offset += line.length;
    return (
      <Fragment key={key}>
        <KeyText text={line.replace(/\r?\n$/, "")} prose />
        {line.endsWith("\n") ? <br /> : null}
      </Fragment>
    );
  });
}

function Ticket({ ticket }: { ticket: string }) {
  if (!/^https?:\/\//i.test(ticket)) return <KeyText text={ticket} />;
  return (
    <a href={ticket} target="_blank" rel="noreferrer noopener">
      <KeyText text={ticket} />
    </a>
  );
}
