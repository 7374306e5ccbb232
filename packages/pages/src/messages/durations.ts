import { keepLatest } from "./keep-latest.ts";

const listFormat = keepLatest(
  (...given: ConstructorParameters<typeof Intl.ListFormat>) => new Intl.ListFormat(...given),
);
const numberFormat = keepLatest(
  (...given: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...given),
);
const relativeTimeFormat = keepLatest(
  (...given: ConstructorParameters<typeof Intl.RelativeTimeFormat>) =>
    new Intl.RelativeTimeFormat(...given),
);

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/**
 * A span of time in words, in its two largest units, e.g. `23 hours 41 minutes`. Below a minute in
 * seconds; an elapsed span is `0 seconds`.
 *
 * @param seconds a fraction is cut off
 */
export const durationInWords = keepLatest((seconds: number, locale: string): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const first = units.findIndex(([, size]) => whole >= size);
  if (first === -1) return countInWords(0, "second", locale);
  const parts = units.slice(first, first + 2).map(([unit, size], index) => {
    const [, larger = Infinity] = units[first + index - 1] ?? [];
    return { unit, count: Math.floor((index === 0 ? whole : whole % larger) / size) };
  });
  return listFormat(locale, { type: "unit", style: "narrow" }).format(
    parts
      .filter(({ count }) => count > 0)
      .map(({ unit, count }) => countInWords(count, unit, locale)),
  );
});

/** How long ago, in its largest unit, e.g. `2 hours ago`; below a minute it is `now`. */
export function agoInWords(seconds: number, locale: string): string {
  const [unit, size] = units.find(([name, length]) => name !== "second" && seconds >= length) ?? [
    "second",
    Infinity,
  ];
  const numeric = unit === "second" ? "auto" : "always";
  return relativeTimeFormat(locale, { numeric }).format(-Math.floor(seconds / size), unit);
}

function countInWords(count: number, unit: string, locale: string): string {
  return numberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
