"use client";

import IconCheck from "@tabler/icons-react/icons/IconCheck";
import IconCopy from "@tabler/icons-react/icons/IconCopy";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { copyText } from "./clipboard";
import classes from "./text.module.css";

const CONFIRMED_FOR_MS = 1_500;

/** Copies the exact text it was given, and says so. `label` names what is copied. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const t = useTranslations("ui");
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(value));
    setTimeout(() => setCopied(false), CONFIRMED_FOR_MS);
  };
  const name = copied ? t("copied") : t("copy", { what: label });
  return (
    <button type="button" className={classes.copy} onClick={copy} aria-label={name} title={name}>
      {copied ? <IconCheck size={14} stroke={1.8} /> : <IconCopy size={14} stroke={1.6} />}
      <span role="status" className="visually-hidden">
        {copied ? t("copied") : ""}
      </span>
    </button>
  );
}
