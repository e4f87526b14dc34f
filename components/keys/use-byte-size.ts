"use client";

import { useLocale } from "next-intl";
import { useCallback } from "react";

/** Spells a number of bytes: exact below a KiB, one digit above. */
export function useByteSize() {
  const locale = useLocale();
  return useCallback((bytes: number) => showBytes(bytes, locale), [locale]);
}

function showBytes(bytes: number, locale: string): string {
  if (bytes < 1_024) return `${bytes.toLocaleString(locale)} B`;
  const unit = bytes < 1_048_576 ? "KiB" : "MiB";
  const value = bytes / (unit === "KiB" ? 1_024 : 1_048_576);
  return `${value.toLocaleString(locale, { maximumFractionDigits: 1 })} ${unit}`;
}
