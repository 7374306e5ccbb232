import type { MessageKey } from "./catalogue.ts";

const files = import.meta.glob<string>("./languages/*.json", {
  eager: true,
  import: "default",
  query: "?raw",
});

/** Every language as translators write it: messages in ICU syntax, by the tag of the language. */
export const catalogues: ReadonlyMap<string, Readonly<Record<MessageKey, string>>> = new Map(
  Object.entries(files).map(([path, text]) => [
    path.slice("./languages/".length, -".json".length),
    JSON.parse(text),
  ]),
);
