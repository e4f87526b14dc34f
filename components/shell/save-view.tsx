"use client";

import { Button, Checkbox, Modal, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { ProblemCard } from "@/components/ui/problem-card";
import { createSubmit } from "@/lib/http/client";
import { type NewView, View } from "@/lib/views/schema";
import { useHoldRefresh } from "./refresh";
import classes from "./save-view.module.css";

interface SaveViewProps extends Pick<NewView, "page" | "query"> {
  onDone: () => void;
  onClose: () => void;
}

/** Gives the present filter a name. */
export function SaveView({ page, query, onDone, onClose }: SaveViewProps) {
  const t = useTranslations("frame");
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const [submit] = useState(createSubmit);
  useHoldRefresh("save-view", true);
  const save = useMutation({
    mutationFn: () => submit("POST", "/views", { page, name: name.trim(), query, shared }, View),
    onSuccess: onDone,
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t("views.save")} closeButtonProps={{ "aria-label": t("close") }}>
      <form className={classes.form} onSubmit={send}>
        <TextInput
          data-autofocus
          label={t("views.name")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={80}
          required
        />
        <Checkbox
          label={t("views.share")}
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        {save.error ? <ProblemCard error={save.error} /> : null}
        <Button type="submit" loading={save.isPending} disabled={name.trim() === ""}>
          {t("views.keep")}
        </Button>
      </form>
    </Modal>
  );
}
