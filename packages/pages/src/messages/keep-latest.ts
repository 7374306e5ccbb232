/** Locales come from clients: a client with every possible locale must not fill the memory. */
const keptAtMost = 200;

/**
 * Caches the results of a function by its arguments. A known result changes nothing in the `Map`:
 * entries which are deleted and set again at each use leave whole tables behind until a full
 * garbage collection.
 *
 * @param make - its arguments differ by their JSON
 * @returns the same function; at 200 results it forgets all of them
 */
export function keepLatest<Given extends readonly unknown[], Made>(
  make: (...given: Given) => Made,
): (...given: Given) => Made {
  const kept = new Map<string, Made>();
  return (...given) => {
    const key = JSON.stringify(given);
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size === keptAtMost) kept.clear();
    const made = make(...given);
    kept.set(key, made);
    return made;
  };
}
