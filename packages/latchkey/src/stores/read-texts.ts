import type { Store } from "./store.ts";

/** The text under a key; `null` if there is none. */
export type Texts = (key: string) => string | null;

/** Reads keys in one round trip. */
export async function readTexts(
  store: Pick<Store, "get">,
  keys: readonly string[],
): Promise<Texts> {
  const found = await store.get(keys);
  const texts = new Map(keys.map((key, place) => [key, found[place] ?? null]));
  return (key) => texts.get(key) ?? null;
}
