/** Locales come from clients: whoever asks in every locale there is must not fill the memory. */
const keptAtMost = 200;

/**
 * Makes something once for the same arguments. A result that is known changes nothing in the `Map`: entries that are
 * deleted and set again at each use leave whole tables behind, which only a full garbage collection frees.
 *
 * @param make - its arguments can be told apart by their JSON
 * @returns the same function; where it keeps 200 results, it forgets them all before it keeps another one
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
