"use client";

import { Button, Modal, TextInput } from "@mantine/core";
import dayjs from "dayjs";
import timezone from "dayjs/plugin/timezone";
import utc from "dayjs/plugin/utc";
import { useSearchParams } from "next/navigation";
import { useTimeZone, useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useHoldRefresh } from "@/components/shell/refresh";
import { readMoney } from "@/lib/i18n/money";
import { useFind } from "./find";
import classes from "./find-without-key.module.css";

dayjs.extend(utc);
dayjs.extend(timezone);

interface FindWithoutKeyProps {
  onFind: (changes: Record<string, string>) => void;
  onClose: () => void;
}

/** Customers have no key: they know the amount and about when, or who they are. */
export function FindWithoutKey({ onFind, onClose }: FindWithoutKeyProps) {
  const t = useTranslations("keys");
  const frame = useTranslations("frame");
  useHoldRefresh("find", true);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("findWithoutKey")}
      size="lg"
      closeButtonProps={{ "aria-label": frame("close") }}
    >
      <AmountForm onFind={onFind} />
      <CustomerForm onDone={onClose} />
    </Modal>
  );
}

function AmountForm({ onFind }: Pick<FindWithoutKeyProps, "onFind">) {
  const t = useTranslations("keys");
  const timeZone = useTimeZone() ?? "UTC";
  const [amount, setAmount] = useState("");
  const [currency, setCurrency] = useState("EUR");
  const [at, setAt] = useState(() => dayjs().tz(timeZone).format("YYYY-MM-DDTHH:mm"));
  const [minutes, setMinutes] = useState("30");
  const minor = readMoney(amount, currency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const middle = dayjs.tz(at, timeZone);
    if (minor === null || !middle.isValid()) return;
    const span = Number(minutes);
    onFind({
      amount: String(minor),
      currency: currency.toUpperCase(),
      from: middle.subtract(span, "minute").toISOString(),
      to: middle.add(span, "minute").toISOString(),
    });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <h3>{t("byAmount.title")}</h3>
      <TextInput
        data-autofocus
        label={t("byAmount.amount")}
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        inputMode="decimal"
        placeholder="42.00"
        error={amount !== "" && minor === null ? t("byAmount.notAnAmount") : null}
        required
      />
      <TextInput
        label={t("byAmount.currency")}
        value={currency}
        onChange={(event) => setCurrency(event.currentTarget.value)}
        pattern="[A-Za-z]{3}"
        maxLength={3}
        required
      />
      <TextInput
        type="datetime-local"
        label={t("byAmount.at", { zone: timeZone })}
        value={at}
        onChange={(event) => setAt(event.currentTarget.value)}
        required
      />
      <TextInput
        type="number"
        label={t("byAmount.minutes")}
        value={minutes}
        onChange={(event) => setMinutes(event.currentTarget.value)}
        min={1}
        max={1_440}
        required
      />
      <Button type="submit" disabled={minor === null}>
        {t("find")}
      </Button>
    </form>
  );
}

function CustomerForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations("keys");
  const tenantId = useSearchParams().get("tenant") ?? undefined;
  const { findCustomer } = useFind();
  const [customer, setCustomer] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDone();
    void findCustomer(customer.trim(), tenantId);
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <h3>{t("byCustomer.title")}</h3>
      <TextInput
        label={t("byCustomer.customer")}
        description={t("byCustomer.meaning")}
        value={customer}
        onChange={(event) => setCustomer(event.currentTarget.value)}
        maxLength={512}
        required
      />
      <Button type="submit" disabled={customer.trim() === ""}>
        {t("find")}
      </Button>
    </form>
  );
}
