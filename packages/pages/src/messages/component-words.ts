import type { Words as ComponentWords } from "latchkey/react";

import type { MessageKey } from "./catalogue.ts";
import type { Words } from "./words.ts";

/** Which message each text of the sign-in components is. */
const keys: Readonly<
  Record<Exclude<keyof ComponentWords, "lang" | "app" | "provider">, MessageKey>
> = {
  signIn: "action.signIn",
  signInAgain: "action.signInAgain",
  signOut: "action.signOut",
  tryAgain: "action.tryAgain",
  accountMenu: "live.menu",
  signOutAll: "devices.all",
  account: "nav.account",
  devices: "nav.devices",
  endingSoon: "live.endingSoon",
  offline: "live.offline",
  loadError: "live.unknown",
  idleWarningTitle: "live.warnTitle",
  idleWarningBody: "live.warnBody",
  idleWarningUnsaved: "live.warnData",
  idleWarningSafe: "live.warnDataSafe",
  staySignedIn: "live.warnStay",
  signOutNow: "live.warnOut",
  extending: "live.warnExtending",
  extended: "live.warnExtended",
  extendError: "live.warnFail",
  idleWarningSpoken: "live.warnSpoken",
  tabTitle: "live.warnTab",
  absoluteWarningTitle: "live.absTitle",
  absoluteWarningBody: "live.absBody",
  absoluteWarningBodyShort: "live.absBodyShort",
  signInInNewTab: "live.absNow",
  remindLater: "live.absLater",
  closeMessage: "live.absClose",
  newTabDone: "live.absDone",
  signedInUntil: "live.absResumed",
  signedOutTitle: "out.title",
  signedOutBody: "out.body",
  idleTitle: "ended.idle.title",
  idleBody: "ended.idle.body",
  idleBodyShort: "ended.idle.bodyPlain",
  maxAgeTitle: "ended.maxAge.title",
  maxAgeBody: "ended.maxAge.body",
  maxAgeBodyShort: "ended.maxAge.bodyPlain",
  unreadableTitle: "ended.unreadable.title",
  unreadableBody: "ended.unreadable.body",
  unprovedTitle: "ended.unproved.title",
  unprovedBody: "ended.unproved.body",
  elsewhereTitle: "ended.elsewhere.title",
  elsewhereBody: "ended.elsewhere.body",
  elsewhereAdvice: "ended.elsewhere.safe",
  otherPersonBody: "live.otherBody",
  continueAs: "live.otherContinue",
  useOtherAccount: "action.otherAccount",
  signInAndReturn: "live.back",
  offlineBanner: "live.offlineNow",
  backOnline: "live.offlineBack",
};

/** Arguments which the components fill in themselves. */
const kept = Object.fromEntries(
  ["app", "provider", "name", "left", "length", "time", "date", "clock", "email", "page"].map(
    (name) => [name, `{${name}}`],
  ),
);

/** The texts of the sign-in components in one language. */
export function componentWords(words: Words): ComponentWords {
  const texts = Object.entries(keys).map(([name, key]) => [name, words.text(key, kept)]);
  // `keys` has one entry for each text, so none is missing.
  const all = Object.fromEntries(texts) as Record<keyof typeof keys, string>;
  const { app, provider } = words.names;
  return { ...all, app, provider, lang: words.locale };
}
