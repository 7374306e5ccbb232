import compile from "icu-minify/compile";
import type { Plugin } from "vite";

const catalogue = /\/messages\/languages\/[\w-]+\.json$/;

/** Compiles the messages of a catalogue, so that no app carries the parser of ICU syntax. */
export function compileMessages(): Plugin {
  return {
    name: "compile-messages",
    enforce: "pre",
    transform: {
      filter: { id: catalogue },
      handler: (text) =>
        JSON.stringify(JSON.parse(text), (_, value: unknown) =>
          typeof value === "string" ? compile(value) : value,
        ),
    },
  };
}
