import english from "./languages/en.json";

/** The name of a message; English is the reference, every other language has the same names. */
export type MessageKey = keyof typeof english;

/** One language: every message in ICU syntax, under its name. */
export type Catalogue = Readonly<Record<MessageKey, string>>;

/** Languages by their tags. */
export type Languages = ReadonlyMap<string, Catalogue>;

/** The language if none of the requested ones is available. */
export const defaultLanguage = "en";

/** English alone, for apps that need no other language. */
export const onlyEnglish: Languages = new Map([[defaultLanguage, english]]);
