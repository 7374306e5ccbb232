import type { ReactNode } from "react";

type Values = Readonly<Record<string, string>>;

const placeholder = /\{(\w+)\}/g;

/**
 * Returns the text with its placeholders filled; those without a value stay. A placeholder at the
 * start gets a capital.
 */
export function fill(text: string, values: Values): string {
  const filled = text.replaceAll(placeholder, (all, name) => values[name] ?? all);
  return text.startsWith("{") ? filled.charAt(0).toUpperCase() + filled.slice(1) : filled;
}

/** The text with its placeholders filled, in bold. */
export function fillStrong(text: string, values: Values): ReactNode[] {
  return text.split(placeholder).map((part, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- parts of a sentence have no other key
    index % 2 === 0 ? part : <strong key={index}>{values[part] ?? ""}</strong>,
  );
}

const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 };

/** "1 hour 30 minutes": in its two largest units, as the pages of the server say it. */
export function durationInWords(lang: string, seconds: number): string {
  const parts: string[] = [];
  let left = seconds;
  let others = 2;
  for (const [unit, size] of Object.entries(units)) {
    const count = Math.floor(left / size);
    left %= size;
    if (others > 0 && (count > 0 || (size === 1 && parts.length === 0)))
      parts.push(
        new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" }).format(count),
      );
    if (parts.length > 0) others -= 1;
  }
  return new Intl.ListFormat(lang, { type: "unit", style: "narrow" }).format(parts);
}

/**
 * The remaining time: whole minutes, rounded up, and seconds in the last minute; never "0 seconds".
 */
export function remainingInWords(lang: string, seconds: number): string {
  return durationInWords(lang, seconds > 60 ? Math.ceil(seconds / 60) * 60 : Math.max(1, seconds));
}

/** "1:05", never below "0:00". */
export function remainingOnClock(seconds: number): string {
  const left = Math.max(0, seconds);
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

/** "9:12 AM", or as is usual in the language, for epoch seconds, in the device's time zone. */
export function timeOfDay(lang: string, epochSeconds: number): string {
  const format = new Intl.DateTimeFormat(lang, { timeStyle: "short" });
  return format.format(epochSeconds * 1000);
}

/** "Tuesday 2 June", for epoch seconds, in the device's time zone. */
export function dayInWords(lang: string, epochSeconds: number): string {
  const format = new Intl.DateTimeFormat(lang, { weekday: "long", day: "numeric", month: "long" });
  return format.format(epochSeconds * 1000);
}
