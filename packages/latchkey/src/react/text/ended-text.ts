import { lengthInWords } from "./phrases.tsx";
import type { EndedReason, Times } from "../client/session-state.ts";
import type { WordsInHand } from "../hooks/use-words.ts";

const names = {
  idle: "idle",
  "max-age": "maxAge",
  elsewhere: "else",
  unreadable: "unreadable",
  refused: "refused",
  "signed-out": "out",
} as const satisfies Record<EndedReason | "signed-out", string>;

/** Title and sentence for each way in which a sign-in ends; shorter where a length is not known. */
export function endedWords(
  { lang, text }: WordsInHand,
  reason: EndedReason | "signed-out",
  { rollingDuration, absoluteDuration }: Times,
): { title: string; body: string } {
  const name = names[reason];
  const title = text(`${name}Title`);
  if (name !== "idle" && name !== "maxAge") return { title, body: text(`${name}Body`) };
  const seconds = name === "idle" ? rollingDuration : absoluteDuration;
  if (seconds === null) return { title, body: text(`${name}BodyShort`) };
  return { title, body: text(`${name}Body`, { length: lengthInWords(lang, seconds) }) };
}
