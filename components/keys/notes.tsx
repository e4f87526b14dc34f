"use client";

import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useCan } from "@/components/shell/me";
import { KeyText } from "@/components/ui/key-text";
import { ProblemCard } from "@/components/ui/problem-card";
import { Section } from "@/components/ui/section";
import { Timestamp } from "@/components/ui/timestamp";
import { createSubmit } from "@/lib/http/client";
import { lookupKeys, operationPath } from "@/lib/lookup/client";
import { type KeyDetail, Note } from "@/lib/lookup/schema";
import classes from "./notes.module.css";

/** What people wrote about this key, and a field for the next one. */
export function Notes({ detail }: { detail: KeyDetail }) {
  const t = useTranslations("key");
  const mayWrite = useCan("keys.note", detail.tenantId);
  return (
    <Section title={t("notes.title")}>
      {detail.notes.length === 0 ? <p className={classes.none}>{t("notes.none")}</p> : null}
      <ol>
        {detail.notes.map((note) => (
          <li key={note.id} className={classes.note}>
            <p className={classes.text}>
              <bdi>{note.text}</bdi>
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
      {mayWrite && detail.id !== null ? <NoteForm tenantId={detail.tenantId} id={detail.id} /> : null}
    </Section>
  );
}

function Ticket({ ticket }: { ticket: string }) {
  if (!/^https?:\/\//i.test(ticket)) return <KeyText text={ticket} />;
  return (
    <a href={ticket} target="_blank" rel="noreferrer noopener">
      <KeyText text={ticket} />
    </a>
  );
}

function NoteForm({ tenantId, id }: { tenantId: string; id: string }) {
  const t = useTranslations("key");
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [ticket, setTicket] = useState("");
  const [submit] = useState(createSubmit);
  const add = useMutation({
    mutationFn: () => {
      const note = { text: text.trim(), ...(ticket.trim() === "" ? {} : { ticket: ticket.trim() }) };
      return submit("POST", `${operationPath({ tenantId, id })}/notes`, note, Note);
    },
    onSuccess: async () => {
      setText("");
      setTicket("");
      await queries.invalidateQueries({ queryKey: lookupKeys.all });
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form className={classes.form} onSubmit={send}>
      <Textarea
        label={t("notes.text")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={4000}
        autosize
        minRows={2}
      />
      <TextInput
        label={t("notes.ticket")}
        value={ticket}
        onChange={(event) => setTicket(event.currentTarget.value)}
        maxLength={500}
      />
      {add.error ? <ProblemCard error={add.error} /> : null}
      <Button type="submit" variant="default" loading={add.isPending} disabled={text.trim() === ""}>
        {t("notes.add")}
      </Button>
    </form>
  );
}
