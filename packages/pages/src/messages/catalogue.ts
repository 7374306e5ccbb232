import english from "./languages/en.json";

/** The name of a message; English is the reference, every other language has the same names. */
export type MessageKey = keyof typeof english;

/**
 * A message as the build compiles it: a text, or a list of texts (`string`), arguments with their
 * format, tags with their content (`[name, …]`), and the number of a plural (0).
 */
export type Message = string | (string | 0 | [string] | [string, unknown, ...unknown[]])[];

/** One language: every message under its name. */
export type Catalogue = Readonly<Record<MessageKey, Message>>;

/** Languages by their tags. */
export type Languages = ReadonlyMap<string, Catalogue>;

/** The language if none of the requested ones is available. */
export const defaultLanguage = "en";

/** English alone, for apps that need no other language. */
export const onlyEnglish: Languages = new Map([[defaultLanguage, english]]);
