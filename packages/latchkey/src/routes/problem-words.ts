import type { ProblemKind } from "../errors/problem-kind.ts";

/** What helps most. */
export type ProblemAction = "home" | "reload" | "sign-in" | "switch-account" | "try-again";

/** What a person reads of a problem, in English. */
export type ProblemWords = readonly [title: string, advice: string, action: ProblemAction];

const again: ProblemWords = [
  "Let's start that again",
  "Your sign-in took too long, was started twice, or your browser blocked the cookie that we need.",
  "sign-in",
];
const blocked: ProblemWords = [
  "Your browser is blocking cookies",
  "We need one cookie to sign you in. Allow cookies for this site, then try again.",
  "try-again",
];
const stopped: ProblemWords = [
  "We couldn't sign you in",
  "The sign-in provider's answer didn't pass our checks, so we stopped.",
  "try-again",
];
const nothingIsLost = "Nothing is lost: try again in a moment.";
const unreachable: ProblemWords = [
  "We can't reach the sign-in provider",
  `This app works, but the sign-in provider didn't answer. ${nothingIsLost}`,
  "try-again",
];

/** Default texts of problems, for apps without their own. */
export const problemWords: Readonly<Record<ProblemKind, ProblemWords>> = {
  "callback-failed": stopped,
  cancelled: ["You came back without signing in", "Nothing has changed.", "sign-in"],
  "clock-skew": stopped,
  "code-used": again,
  "confirm-sign-out": ["Sign out?", "Another site asked to sign you out.", "home"],
  "cookies-blocked": blocked,
  "email-domain": [
    "You can't use this email here",
    "This sign-in is for email addresses of other domains.",
    "switch-account",
  ],
  forbidden: ["You can't open this page", "It needs a permission that you don't have.", "home"],
  "form-not-sent": [
    "Your form has not been sent",
    "Sign in, then press Back and send it again.",
    "sign-in",
  ],
  "link-incomplete": again,
  loop: blocked,
  "no-sign-in-in-progress": again,
  "no-way": [
    "There's no way to sign in here yet",
    "The people who run this app need to set one up. Try again later.",
    "try-again",
  ],
  "not-confirmed": stopped,
  "not-found": ["Page not found", "Check the address, or start from the home page.", "home"],
  organization: [
    stopped[0],
    "Your account isn't in the organization that this app is for.",
    "switch-account",
  ],
  "provider-busy": ["The sign-in provider is busy", nothingIsLost, "try-again"],
  "provider-refused": [
    "The sign-in provider didn't let you in",
    "It gave no reason.",
    "switch-account",
  ],
  "provider-trouble": ["The sign-in provider is having trouble", nothingIsLost, "try-again"],
  "provider-unreachable-finish": unreachable,
  "provider-unreachable-start": unreachable,
  "restart-missing": again,
  "restart-unreadable": again,
  "server-error": [
    "Something went wrong on our side",
    "It isn't anything you did. Try again in a few minutes.",
    "reload",
  ],
  "session-too-large": [
    "Your account is too large for this app",
    "Your sign-in worked, but we couldn't store it.",
    "home",
  ],
  "setup-wrong": [
    "This app isn't set up correctly",
    "Trying again won't help: the people who run it need to fix a setting.",
    "home",
  ],
  "sign-in-refused": [stopped[0], "This account can't be used here.", "switch-account"],
  "state-mismatch": again,
  "too-many-cookies": [again[0], "Your browser holds too much old sign-in data.", "sign-in"],
};
