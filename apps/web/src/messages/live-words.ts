import type { Words as ComponentWords } from "latchkey/react";

import type { MessageKey } from "./languages.ts";
import type { Words } from "./words.ts";

/** Which message each text of the sign-in components is. */
const keys: Readonly<
  Record<Exclude<keyof ComponentWords, "lang" | "app" | "provider">, MessageKey>
> = {
  signIn: "action.signIn",
  signInAgain: "action.signInAgain",
  signOut: "action.signOut",
  tryAgain: "action.tryAgain",
  menu: "live.menu",
  account: "nav.account",
  devices: "nav.devices",
  endingSoon: "live.endingSoon",
  offline: "live.offline",
  unknown: "live.unknown",
  warnTitle: "live.warnTitle",
  warnBody: "live.warnBody",
  warnData: "live.warnData",
  warnDataSafe: "live.warnDataSafe",
  warnStay: "live.warnStay",
  warnOut: "live.warnOut",
  warnExtending: "live.warnExtending",
  warnExtended: "live.warnExtended",
  warnFail: "live.warnFail",
  warnSpoken: "live.warnSpoken",
  warnTab: "live.warnTab",
  absTitle: "live.absTitle",
  absBody: "live.absBody",
  absBodyShort: "live.absBodyShort",
  absNow: "live.absNow",
  absLater: "live.absLater",
  absClose: "live.absClose",
  absDone: "live.absDone",
  absResumed: "live.absResumed",
  outTitle: "out.title",
  outBody: "out.body",
  idleTitle: "ended.idle.title",
  idleBody: "ended.idle.body",
  idleBodyShort: "ended.idle.bodyPlain",
  maxAgeTitle: "ended.maxAge.title",
  maxAgeBody: "ended.maxAge.body",
  maxAgeBodyShort: "ended.maxAge.bodyPlain",
  unreadableTitle: "ended.unreadable.title",
  unreadableBody: "ended.unreadable.body",
  refusedTitle: "ended.refused.title",
  refusedBody: "ended.refused.body",
  elseTitle: "ended.elsewhere.title",
  elseBody: "ended.elsewhere.body",
  elseSafe: "ended.elsewhere.safe",
  otherBody: "live.otherBody",
  otherContinue: "live.otherContinue",
  otherSwitch: "action.otherAccount",
  back: "live.back",
  offlineNow: "live.offlineNow",
  offlineBack: "live.offlineBack",
};

/** Arguments that the components fill in themselves. */
const kept = Object.fromEntries(
  ["app", "provider", "name", "left", "length", "time", "date", "clock", "email", "page"].map(
    (name) => [name, `{${name}}`],
  ),
);

/** The texts of the sign-in components in one language. */
export function liveWords(words: Words, names: { app: string; provider: string }): ComponentWords {
  const texts = Object.entries(keys).map(([name, key]) => [name, words.text(key, kept)]);
  // `keys` has one entry for each text, so that all of them are there.
  const all = Object.fromEntries(texts) as Record<keyof typeof keys, string>;
  return { ...all, ...names, lang: words.locale };
}
