/** Locales come from clients: whoever asks in every locale there is must not fill the memory. */
const keptAtMost = 200;

/**
 * Keeps formatters of `Intl` by what they are made from. Making one takes many times as long as using it, and
 * leaves much memory behind outside of the heap.
 *
 * @param make - makes a formatter from locale and options
 * @returns the same function; beyond 200 formatters it forgets the one that was used longest ago
 */
export function keepFormatters<Given extends readonly unknown[], Formatter>(
  make: (...given: Given) => Formatter,
): (...given: Given) => Formatter {
  const kept = new Map<string, Formatter>();
  return (...given) => {
    const key = JSON.stringify(given);
    const formatter = kept.get(key) ?? make(...given);
    kept.delete(key);
    kept.set(key, formatter);
    const [oldest = key] = kept.keys();
    if (kept.size > keptAtMost) kept.delete(oldest);
    return formatter;
  };
}

/** Moments, for pages and for the scripts in them. */
export const dateTimeFormat = keepFormatters(
  (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...given),
);
