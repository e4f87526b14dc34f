import type { Locale } from "./locale";

const UNITS = [
  { name: "day", ms: 86_400_000 },
  { name: "hour", ms: 3_600_000 },
  { name: "minute", ms: 60_000 },
  { name: "second", ms: 1_000 },
] as const;

const SHORT: Record<Locale, Record<string, string>> = {
  en: { day: " d", hour: " h", minute: " m", second: " s", millisecond: " ms" },
  zh: { day: " 天", hour: " 小时", minute: " 分", second: " 秒", millisecond: " 毫秒" },
};

/** A span in its two largest units, rounded (`6 h 12 m`), or as one figure below a minute (`1.24 s`, `38 ms`). */
export function showDuration(ms: number, locale: Locale): string {
  const words = SHORT[locale];
  if (ms < 1_000) return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)}${words.millisecond}`;
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(ms < 10_000 ? 2 : 1))}${words.second}`;
  const exact = UNITS.findIndex((unit) => ms >= unit.ms);
  const step = UNITS[Math.min(exact + 1, UNITS.length - 1)]?.ms ?? 1_000;
  const rounded = Math.round(ms / step) * step;
  const first = UNITS.findIndex((unit) => rounded >= unit.ms);
  const large = UNITS[first] ?? UNITS[0];
  const small = UNITS[first + 1];
  const count = Math.floor(rounded / large.ms);
  const rest = small ? Math.floor((rounded - count * large.ms) / small.ms) : 0;
  const head = `${count}${words[large.name]}`;
  return small && rest > 0 ? `${head} ${rest}${words[small.name]}` : head;
}
