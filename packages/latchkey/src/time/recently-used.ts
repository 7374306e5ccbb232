/** A map of so many entries, of which the one unused for longest makes room. */
export function createRecentlyUsed<Value>(atMost: number) {
  const known = new Map<string, Value>();
  return {
    get(key: string): Value | undefined {
      const value = known.get(key);
      if (value === undefined) return undefined;
      known.delete(key);
      known.set(key, value);
      return value;
    },
    set(key: string, value: Value): void {
      known.delete(key);
      known.set(key, value);
      const [oldest] = known.keys();
      if (known.size > atMost && oldest !== undefined) known.delete(oldest);
    },
    all: () => [...known.values()],
    delete: (key: string) => void known.delete(key),
  };
}
