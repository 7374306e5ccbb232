import { useSurroundings } from "./sign-in-context.ts";
import { fill } from "../text/phrases.tsx";
import type { SessionClient } from "../client/session-client.ts";
import { english, type Words } from "../text/words.ts";

export interface WordsInHand {
  readonly client: SessionClient;
  readonly lang: string;
  /** One text, filled in with the values given and the names of app and provider. */
  readonly text: (key: keyof Words, values?: Readonly<Record<string, string>>) => string;
}

/** What most components need: the client, and the words of the app where it gave some, English otherwise. */
export function useWords(caller?: string): WordsInHand {
  const { client, words } = useSurroundings(caller);
  const all = { ...english, ...words };
  const { lang, app, provider } = all;
  return { client, lang, text: (key, values) => fill(all[key], { app, provider, ...values }) };
}
