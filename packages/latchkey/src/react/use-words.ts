"use client";
import { useSurroundings } from "./context.ts";
import { fill } from "./phrases.tsx";
import { english, type Words } from "./words.ts";

export interface WordsInHand {
  readonly lang: string;
  /** One text, filled in with the values given and the names of app and provider. */
  readonly text: (key: keyof Words, values?: Readonly<Record<string, string>>) => string;
}

/** The words of the app where it gave some, English otherwise. */
export function useWords(caller: string): WordsInHand {
  const words = { ...english, ...useSurroundings(caller).words };
  const { lang, app, provider } = words;
  return { lang, text: (key, values) => fill(words[key], { app, provider, ...values }) };
}
