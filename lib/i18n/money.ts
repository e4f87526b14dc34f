/** Minor units of a currency as this runtime knows ISO 4217; null for a code that is no currency. */
export function minorDigits(currency: string): number | null {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Minor units of an amount as a person types it (`42.5`, `1,250.00`); null where it is none of this currency. */
export function readMoney(text: string, currency: string): number | null {
  const digits = minorDigits(currency);
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text.trim().replaceAll(/[,\s'_]/g, ""));
  const fraction = match?.[2] ?? "";
  if (digits === null || !match || fraction.length > digits) return null;
  const minor = Number(`${match[1]}${fraction.padEnd(digits, "0")}`);
  return Number.isSafeInteger(minor) ? minor : null;
}
