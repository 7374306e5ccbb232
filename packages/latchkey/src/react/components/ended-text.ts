import type { SessionTimes } from "../client/session-state.ts";
import type { EndReason } from "../client/wire.ts";
import type { UseWordsResult } from "../hooks/use-words.ts";
import { durationInWords } from "../text/phrases.tsx";

const prefixes = {
  idle: "idle",
  "max-age": "maxAge",
  elsewhere: "elsewhere",
  unreadable: "unreadable",
  unproved: "unproved",
  "signed-out": "signedOut",
} as const satisfies Record<EndReason | "signed-out", string>;

/** Returns title and text for the end of a session; the short form if the duration is not known. */
export function endedText(
  { lang, text }: Pick<UseWordsResult, "lang" | "text">,
  reason: EndReason | "signed-out",
  { rollingDuration, absoluteDuration }: SessionTimes,
): { title: string; body: string } {
  const prefix = prefixes[reason];
  const title = text(`${prefix}Title`);
  if (prefix !== "idle" && prefix !== "maxAge") return { title, body: text(`${prefix}Body`) };
  const seconds = prefix === "idle" ? rollingDuration : absoluteDuration;
  if (seconds === null) return { title, body: text(`${prefix}BodyShort`) };
  return { title, body: text(`${prefix}Body`, { length: durationInWords(lang, seconds) }) };
}
