/**
 * Every text of the components. `{name}` is filled in; `{app}` and `{provider}` are the two names
 * below, everywhere. Give `SignInProvider` an object with other words to replace some or all.
 */
export interface Words {
  /** Language of the texts, for numbers, dates and plurals (BCP 47). */
  readonly lang: string;
  /** What people call the app. */
  readonly app: string;
  /** What people call the place where they sign in. */
  readonly provider: string;

  readonly signIn: string;
  readonly signInAgain: string;
  readonly signOut: string;
  readonly tryAgain: string;

  readonly menu: string;
  readonly account: string;
  readonly devices: string;
  readonly endingSoon: string;
  readonly offline: string;
  readonly unknown: string;

  readonly warnTitle: string;
  readonly warnBody: string;
  readonly warnData: string;
  readonly warnDataSafe: string;
  readonly warnStay: string;
  readonly warnOut: string;
  readonly warnExtending: string;
  readonly warnExtended: string;
  readonly warnFail: string;
  readonly warnSpoken: string;
  readonly warnTab: string;

  readonly absTitle: string;
  readonly absBody: string;
  /** Where the server did not say how long a sign-in lasts. */
  readonly absBodyShort: string;
  readonly absNow: string;
  readonly absLater: string;
  readonly absClose: string;
  readonly absDone: string;
  readonly absResumed: string;

  readonly outTitle: string;
  readonly outBody: string;
  readonly idleTitle: string;
  readonly idleBody: string;
  readonly idleBodyShort: string;
  readonly maxAgeTitle: string;
  readonly maxAgeBody: string;
  readonly maxAgeBodyShort: string;
  readonly unreadableTitle: string;
  readonly unreadableBody: string;
  readonly refusedTitle: string;
  readonly refusedBody: string;
  readonly elseTitle: string;
  readonly elseBody: string;
  readonly elseSafe: string;
  readonly otherBody: string;
  readonly otherContinue: string;
  readonly otherSwitch: string;
  readonly back: string;

  readonly offlineNow: string;
  readonly offlineBack: string;
}

export const english: Words = {
  lang: "en",
  app: "this app",
  provider: "your sign-in provider",

  signIn: "Sign in",
  signInAgain: "Sign in again",
  signOut: "Sign out",
  tryAgain: "Try again",

  menu: "Account menu, {name}",
  account: "Your account",
  devices: "Signed-in devices",
  endingSoon: "Signing out soon",
  offline: "Offline",
  unknown: "We couldn't check who is signed in.",

  warnTitle: "Still there?",
  warnBody:
    "You haven't used {app} for a while. To keep your account safe we'll sign you out in {left}.",
  warnData: "Anything you haven't saved on this page may be lost.",
  warnDataSafe: "What you've typed stays on this page.",
  warnStay: "Stay signed in",
  warnOut: "Sign out now",
  warnExtending: "Keeping you signed in...",
  warnExtended: "You're still signed in.",
  warnFail: "We couldn't reach {app} to keep you signed in.",
  warnSpoken: "We'll sign you out in {left}.",
  warnTab: "({clock}) Signing out soon - {app}",

  absTitle: "You'll need to sign in again soon",
  absBody:
    "For safety, {app} asks everyone to sign in again after {length}. That's in {left}, at {time}.",
  absBodyShort:
    "For safety, {app} asks everyone to sign in again from time to time. That's in {left}, at {time}.",
  absNow: "Sign in again in a new tab",
  absLater: "Remind me at 2 minutes",
  absClose: "Close this message",
  absDone: "You're signed in. Close this tab and carry on where you were.",
  absResumed: "You're signed in until {date} at {time}.",

  outTitle: "You're signed out",
  outBody: "You're signed out of {app} in this browser.",
  idleTitle: "You've been signed out",
  idleBody: "You weren't active for {length}, so we signed you out to protect your account.",
  idleBodyShort: "You weren't active for a while, so we signed you out to protect your account.",
  maxAgeTitle: "Time to sign in again",
  maxAgeBody: "It's been {length} since you signed in. Everyone is asked again after that.",
  maxAgeBodyShort: "You signed in a while ago. Everyone is asked again after some time.",
  unreadableTitle: "Please sign in again",
  unreadableBody: "{app} was updated and couldn't keep you signed in.",
  refusedTitle: "Please sign in again",
  refusedBody: "{provider} ended your access. Signing in again usually fixes it.",
  elseTitle: "You've been signed out",
  elseBody:
    "Your sign-in was ended from somewhere else - for example another device, another app, or by an administrator.",
  elseSafe: "If that wasn't you, change your password at {provider}.",
  otherBody: "Someone is now signed in as {email} in this browser.",
  otherContinue: "Continue as {email}",
  otherSwitch: "Use a different account",
  back: "Sign in and go back to {page}",

  offlineNow: "You're offline. What you see may be out of date.",
  offlineBack: "Back online.",
};
