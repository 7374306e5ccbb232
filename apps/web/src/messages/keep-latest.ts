/** Locales come from clients: whoever asks in every locale there is must not fill the memory. */
const keptAtMost = 200;

/**
 * Makes something once for the same arguments.
 *
 * @param make - its arguments can be told apart by their JSON
 * @returns the same function; beyond 200 results it forgets the one that was used longest ago
 */
export function keepLatest<Given extends readonly unknown[], Made>(
  make: (...given: Given) => Made,
): (...given: Given) => Made {
  const kept = new Map<string, Made>();
  return (...given) => {
    const key = JSON.stringify(given);
    const made = kept.get(key) ?? make(...given);
    kept.delete(key);
    kept.set(key, made);
    const [oldest = key] = kept.keys();
    if (kept.size > keptAtMost) kept.delete(oldest);
    return made;
  };
}
