/**
 * The English texts of the components. `{app}` and `{provider}` are filled in everywhere, other
 * placeholders as the comment of each text says.
 */
export const english = {
  /** Language of the texts, for numbers, dates and plurals (BCP 47). */
  lang: "en",
  /** The name of the app. */
  app: "this app",
  /** The name of the provider. */
  provider: "your sign-in provider",

  /** `SignInLink`, `AccountMenu`. */
  signIn: "Sign in",
  /** Wherever a session has ended. */
  signInAgain: "Sign in again",
  /** `SignOutButton`, `AccountMenu`. */
  signOut: "Sign out",
  /** `SignOutButton` with `devices="all"`. */
  signOutAll: "Sign out on all devices",
  /** Wherever a request has failed. */
  tryAgain: "Try again",
  /** `AccountMenu` and `requireSignIn`, after a failed request. */
  loadError: "We couldn't check who is signed in.",

  /** Accessible name of the account menu; `{name}` of the user. */
  accountMenu: "Account menu, {name}",
  /** Link of the account menu to `accountHref`. */
  account: "Your account",
  /** Link of the account menu to `devicesHref`. */
  devices: "Signed-in devices",
  /** Account menu, while the session is about to end. */
  endingSoon: "Signing out soon",
  /** Account menu, while the device is offline. */
  offline: "Offline",

  /** Warning before the rolling end. */
  idleWarningTitle: "Still there?",
  /** `{left}` is the remaining time. */
  idleWarningBody:
    "You haven't used {app} for a while. To keep your account safe we'll sign you out in {left}.",
  /** With the prop `unsaved`. */
  idleWarningUnsaved: "Anything you haven't saved on this page may be lost.",
  /** Without the prop `unsaved`, if a field contains user input. */
  idleWarningSafe: "What you've typed stays on this page.",
  /** What screen readers announce again; `{left}` is the remaining time. */
  idleWarningSpoken: "We'll sign you out in {left}.",
  /** Extends the session. */
  staySignedIn: "Stay signed in",
  /** Signs out before the session ends. */
  signOutNow: "Sign out now",
  /** While the session is being extended. */
  extending: "Keeping you signed in…",
  /** When the session was extended. */
  extended: "You're still signed in.",
  /** When the session could not be extended. */
  extendError: "We couldn't reach {app} to keep you signed in.",
  /** Title of a hidden tab while a warning is due; `{clock}` is the remaining time. */
  tabTitle: "({clock}) Signing out soon · {app}",

  /** Warning before the absolute end. */
  absoluteWarningTitle: "You'll need to sign in again soon",
  /** `{length}` is the absolute duration, `{left}` the remaining time, `{time}` that of the end. */
  absoluteWarningBody:
    "For safety, {app} asks everyone to sign in again after {length}. That's in {left}, at {time}.",
  /** If the absolute duration is unknown. */
  absoluteWarningBodyShort:
    "For safety, {app} asks everyone to sign in again from time to time. That's in {left}, at {time}.",
  /** Signs in without leaving this page. */
  signInInNewTab: "Sign in again in a new tab and keep this page",
  /** Closes the first of two warnings. */
  remindLater: "Remind me 2 minutes before",
  /** Closes the last warning. */
  closeMessage: "Close this message",
  /** In the tab opened to sign in again. */
  newTabDone: "You're signed in. Close this tab and carry on where you were.",
  /** In the other tab; `{date}` and `{time}` are those of the absolute end. */
  signedInUntil: "You're signed in until {date} at {time}.",

  /** After a sign-out in another tab. */
  signedOutTitle: "You're signed out",
  signedOutBody: "You're signed out of {app} in this browser.",
  /** The session ended for the reason `idle`. */
  idleTitle: "You've been signed out",
  /** `{length}` is the rolling duration. */
  idleBody: "You weren't active for {length}, so we signed you out to protect your account.",
  /** If the rolling duration is unknown. */
  idleBodyShort: "You weren't active for a while, so we signed you out to protect your account.",
  /** The session ended for the reason `max-age`. */
  maxAgeTitle: "Time to sign in again",
  /** `{length}` is the absolute duration. */
  maxAgeBody: "It's been {length} since you signed in. Everyone is asked again after that.",
  /** If the absolute duration is unknown. */
  maxAgeBodyShort: "You signed in a while ago. Everyone is asked again after some time.",
  /** The session ended for the reason `unreadable`. */
  unreadableTitle: "Please sign in again",
  unreadableBody: "{app} was updated and couldn't keep you signed in.",
  /** The session ended for the reason `unproved`. */
  unprovedTitle: "Please sign in again",
  unprovedBody: "We couldn't make sure that this is the same browser.",
  /** The session ended for the reason `elsewhere`, or another user is signed in now. */
  elsewhereTitle: "You've been signed out",
  elsewhereBody: "You were signed out from another device, another app, or by an administrator.",
  elsewhereAdvice: "If that wasn't you, change your password at {provider}.",
  /** Signs in and comes back; `{page}` is the title of the page. */
  signInAndReturn: "Sign in and go back to {page}",

  /** Another user is signed in now; `{email}` is theirs, or their name. */
  otherPersonBody: "Someone is now signed in as {email} in this browser.",
  /** Reloads the page for the other user. */
  continueAs: "Continue as {email}",
  /** Signs in with a choice of accounts. */
  useOtherAccount: "Use a different account",

  /** `OfflineBanner`, while the device is offline. */
  offlineBanner: "You're offline. What you see may be out of date.",
  /** `OfflineBanner`, when the server has responded again. */
  backOnline: "Back online.",
} as const;

/**
 * Every text of the components. Pass `SignInProvider` an object to replace some or all of the
 * English ones.
 */
export type Words = { readonly [Key in keyof typeof english]: string };
