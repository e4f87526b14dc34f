"use client";

import IconSearch from "@tabler/icons-react/icons/IconSearch";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useRef } from "react";
import { useFind } from "@/components/keys/find";
import classes from "./search-box.module.css";

/** One box for whatever the customer gave: key, hash, request id, trace id, order number, provider reference. */
export function SearchBox() {
  const t = useTranslations("frame");
  const tenantId = useSearchParams().get("tenant") ?? undefined;
  const { find, pending } = useFind();
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? "";
    if (text !== "") void find(text, tenantId);
  };
  // No `name` and no `action`: without the script the form sends nothing, so a key cannot end in an address.
  return (
    <search className={classes.search}>
      <form className={classes.box} aria-busy={pending} onSubmit={submit}>
        <IconSearch size={16} stroke={1.6} aria-hidden="true" />
        <input
          ref={field}
          id="find"
          type="text"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={4096}
          placeholder={t("searchHint")}
          aria-label={t("search")}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
