import type { SessionClient } from "../client/session-client.ts";
import { fill } from "../text/phrases.tsx";
import { english, type Words } from "../text/words.ts";
import { useSignInContext } from "./sign-in-context.ts";

export interface UseWordsResult {
  readonly client: SessionClient;
  readonly lang: string;
  /** Returns a text with its values and the names of app and provider. */
  readonly text: (key: keyof Words, values?: Readonly<Record<string, string>>) => string;
}

/** Returns the client and the texts: those of the app, otherwise the English ones. */
export function useWords(caller?: string): UseWordsResult {
  const { client, words } = useSignInContext(caller);
  const textOf = (key: keyof Words) => words?.[key] ?? english[key];
  return {
    client,
    lang: textOf("lang"),
    text: (key, values) =>
      fill(textOf(key), { app: textOf("app"), provider: textOf("provider"), ...values }),
  };
}
