"use client";

import { Button, Modal, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useHoldRefresh } from "@/components/shell/refresh";
import { ProblemCard } from "@/components/ui/problem-card";
import { createSubmit } from "@/lib/http/client";
import { operationPath } from "@/lib/lookup/client";
import { RevealAnswer, type RevealInput } from "@/lib/lookup/schema";
import classes from "./dialog.module.css";
import { Revealed } from "./revealed";

export type RevealTarget = RevealInput["what"];

/** Shortest reason the audit accepts. */
const SHORTEST_REASON = 3;

interface RevealDialogProps {
  tenantId: string;
  id: string;
  what: RevealTarget;
  onClose: () => void;
}

/** Asks why, then shows. What was shown is forgotten when the dialog closes. */
export function RevealDialog({ tenantId, id, what, onClose }: RevealDialogProps) {
  const t = useTranslations("key");
  const frame = useTranslations("frame");
  const [reason, setReason] = useState("");
  const [submit] = useState(createSubmit);
  useHoldRefresh("reveal", true);
  const reveal = useMutation({
    mutationFn: (why: string) =>
      submit("POST", `${operationPath({ tenantId, id })}/reveal`, { what, reason: why }, RevealAnswer),
    gcTime: 0,
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    reveal.mutate(reason.trim());
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`reveal.title.${what}`)}
      size="xl"
      closeButtonProps={{ "aria-label": frame("close") }}
    >
      {reveal.data ? (
        <Revealed answer={reveal.data} tenantId={tenantId} id={id} reason={reason.trim()} />
      ) : (
        <form className={classes.form} onSubmit={send}>
          <Textarea
            data-autofocus
            label={t("reveal.reason")}
            description={t("reveal.meaning")}
            placeholder={t("reveal.example")}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            minRows={2}
            maxLength={500}
            required
          />
          {reveal.error ? <ProblemCard error={reveal.error} /> : null}
          <div className={classes.actions}>
            <Button variant="default" onClick={onClose}>
              {t("cancel")}
            </Button>
            <Button type="submit" loading={reveal.isPending} disabled={reason.trim().length < SHORTEST_REASON}>
              {t(`reveal.${what}`)}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}
