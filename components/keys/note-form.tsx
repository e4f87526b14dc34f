"use client";

import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useHoldRefresh } from "@/components/shell/refresh";
import { ProblemCard } from "@/components/ui/problem-card";
import { createSubmit } from "@/lib/http/client";
import { lookupKeys, operationPath } from "@/lib/lookup/client";
import { Note } from "@/lib/lookup/schema";
import classes from "./notes.module.css";

interface NoteFormProps {
  tenantId: string;
  id: string;
  onDone: () => void;
}

/** A note and, if there is one, the ticket it belongs to. What was typed stays when it could not be kept. */
export function NoteForm({ tenantId, id, onDone }: NoteFormProps) {
  const t = useTranslations("key");
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [ticket, setTicket] = useState("");
  const [submit] = useState(createSubmit);
  useHoldRefresh("note", true);
  const add = useMutation({
    mutationFn: () => {
      const note = { text: text.trim(), ...(ticket.trim() === "" ? {} : { ticket: ticket.trim() }) };
      return submit("POST", `${operationPath({ tenantId, id })}/notes`, note, Note);
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: lookupKeys.all });
      onDone();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form className={classes.form} onSubmit={send}>
      <Textarea
        autoFocus
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
      <div className={classes.actions}>
        <Button type="submit" loading={add.isPending} disabled={text.trim() === ""}>
          {t("notes.add")}
        </Button>
        <Button variant="default" onClick={onDone}>
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
}
