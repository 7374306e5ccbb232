import { sha256 } from "../crypto/digest.ts";

/**
 * What became of an authorization response. A browser may send it twice, before it has the cookies
 * of the first one: by a service worker with navigation preload, a double click, a proxy.
 */
export interface Answer {
  /** Of its parameters: another response to the same transaction has another outcome. */
  readonly digest: string;
  readonly outcome: AnswerOutcome;
  /** Why it failed; other instances do not know it. */
  readonly cause?: unknown;
}

export type AnswerOutcome = "under-way" | "signed-in" | "failed";

const outcomes: readonly string[] = ["under-way", "signed-in", "failed"] satisfies AnswerOutcome[];

export function digestOf(parameters: ReadonlyMap<string, string>): string {
  return sha256(JSON.stringify([...parameters]));
}

/** The key in the store. The state itself stays secret. */
export function answerKey(state: string): string {
  return `answer|${sha256(state)}`;
}

export function answerText({ digest, outcome }: Answer): string {
  return `${outcome} ${digest}`;
}

/** Reads the text of {@link answerText}; `null` for anything else. */
export function parseAnswer(text: string | null | undefined): Answer | null {
  const [outcome = "", digest = ""] = text?.split(" ") ?? [];
  return isOutcome(outcome) ? { outcome, digest } : null;
}

function isOutcome(text: string): text is AnswerOutcome {
  return outcomes.includes(text);
}
