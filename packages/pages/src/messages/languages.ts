import type english from "./languages/en.json";

/** The name of a message; English is the reference, every other language has the same names. */
export type MessageKey = keyof typeof english;

/** One language: every message in ICU syntax, under its name. */
export type Catalogue = Readonly<Record<MessageKey, string>>;

const files = import.meta.glob<Catalogue>("./languages/*.json", {
  eager: true,
  import: "default",
});

/** Every language there is a file for, by its tag (`de` for `languages/de.json`). */
export const languages: ReadonlyMap<string, Catalogue> = new Map(
  Object.entries(files).map(([path, catalogue]) => [tagOf(path), catalogue]),
);

/** The language if none of the requested ones is available. */
export const defaultLanguage = "en";

function tagOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".json".length);
}
