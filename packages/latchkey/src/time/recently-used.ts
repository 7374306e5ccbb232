/**
 * A map of so many entries, of which the one unused for longest makes room. An entry moves by its
 * first use after another key has come: to move it each time would copy a large map again and
 * again.
 */
export function createRecentlyUsed<Value>(atMost: number) {
  const known = new Map<string, { readonly value: Value; usedAfter: number }>();
  /** How many keys have come. */
  let arrivals = 0;

  return {
    get(key: string): Value | undefined {
      const entry = known.get(key);
      if (entry === undefined) return undefined;
      if (entry.usedAfter !== arrivals) {
        entry.usedAfter = arrivals;
        known.delete(key);
        known.set(key, entry);
      }
      return entry.value;
    },
    set(key: string, value: Value): void {
      if (!known.delete(key)) arrivals += 1;
      known.set(key, { value, usedAfter: arrivals });
      const [oldest] = known.keys();
      if (known.size > atMost && oldest !== undefined) known.delete(oldest);
    },
    delete: (key: string) => void known.delete(key),
    all: (): readonly Value[] => Array.from(known.values(), ({ value }) => value),
  };
}
