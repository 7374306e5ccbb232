import { type ColorPair, readableAccent } from "../config/accent.ts";
import type { Config } from "../config/config.ts";
import type {
  FormToSend,
  Pages,
  ProviderSession,
  SignedOut,
  SignInChoice,
} from "../config/pages.ts";
import { sentenceOf } from "../errors/access-errors.ts";
import type { Problem } from "../errors/problem.ts";
import type { Claims } from "../session/claims.ts";
import type { Session } from "../session/session.ts";
import { withoutHandler } from "../errors/handler-error.ts";
import { escapeHTML } from "../http/escape-html.ts";
import { brandSheet } from "./brand-sheet.ts";
import { choiceForm } from "./built-in-choice.ts";
import { problemWords } from "./problem-words.ts";

/** One style element: it loads nothing, and a policy need not allow style attributes. */
const style = [
  ":root{color-scheme:light dark;--muted:light-dark(#59616b,#a5adb8);--line:light-dark(#d5d9df,#3a4048);}",
  "*{box-sizing:border-box}",
  "body{margin:0;padding:clamp(1rem,10vh,7rem) 1rem 2rem;font:1rem/1.5 system-ui,sans-serif;color:light-dark(#1d2025,#e7e9ec);background:var(--bg);overflow-wrap:anywhere}",
  "main{max-width:34rem;margin:auto;padding:clamp(1.25rem,6vw,2.5rem);border:1px solid var(--line);border-radius:.75rem;background:var(--surface)}",
  "h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;text-wrap:balance}",
  "p{margin:0 0 1rem;text-wrap:pretty}",
  "main>:last-child{margin-bottom:0}",
  "div{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0}",
  "div a,button{padding:.625rem 1.125rem;border:1px solid var(--accent);border-radius:.5rem;font:inherit;font-weight:600;text-decoration:none;color:var(--accent);background:none;cursor:pointer}",
  "div>a:first-child,button{color:var(--on-fill);background:var(--fill)}",
  "button.quiet{color:var(--accent);background:none}",
  "input[type=email]{width:100%;padding:.625rem;border:1px solid var(--muted);border-radius:.5rem;font:inherit;color:inherit;background:none}",
  "label,summary{cursor:pointer}",
  "summary{min-height:1.5rem}",
  "details{margin-bottom:1rem}",
  "[type=checkbox]{width:1.5rem;height:1.5rem;margin:0;vertical-align:middle;accent-color:var(--accent)}",
  ".enter{position:absolute;clip-path:inset(50%)}",
  ":focus-visible{outline:3px solid var(--accent);outline-offset:3px}",
  "small{color:var(--muted);font-size:.875rem}",
  "code{font:.875rem/1.5 ui-monospace,monospace;user-select:all}",
].join("");

/** Name and color of the app, on every page. */
export type BuiltInLook = Pick<Config, "appName" | "color">;

const background = ["#f4f5f7", "#131518"] as const;
const surface = ["#ffffff", "#1d2024"] as const;

/** The pages for apps without their own: plain, complete, without scripts. */
export function createBuiltInPages(look: BuiltInLook) {
  return {
    problem: (problem: Problem, _request?: unknown, session?: Session | null) =>
      page(look, ...problemPage(look, problem, session?.user)),
    signedOut: (signedOut: SignedOut) => page(look, ...signedOutPage(signedOut)),
    keptForm: (form: FormToSend) => page(look, ...keptFormPage(form)),
    signIn: (choice: SignInChoice) => page(look, ...choicePage(look, choice)),
    brand: brandSheet(readableAccent(accentOf(look), background, surface)),
  } satisfies Pages;
}

function accentOf({ color }: Pick<BuiltInLook, "color">): ColorPair {
  const [light = "", dark = light] = color.accent.split(/[ ,]+/);
  return [light, dark];
}

type Content = readonly [title: string, content: readonly string[], isError?: boolean];

function problemPage(look: BuiltInLook, problem: Problem, user?: Claims): Content {
  const { kind, reason, reference, message, detail, inspectorURL, formURL, homeURL } = problem;
  const [title, , action] = problemWords[kind];
  const isUnconfirmed = problem.organization?.isUnconfirmed === true;
  const isRefusal = kind === "forbidden" || (action === "switch-account" && !isUnconfirmed);
  const story = storyOf(look, problem, user).map(paragraph);
  if (kind === "confirm-sign-out" && formURL !== undefined) {
    return [title, [...story, confirmation(formURL, homeURL)]];
  }
  return [
    title,
    [
      ...story,
      actions(linksOf(problem)),
      ...(isRefusal ? [paragraph(accessSentence)] : []),
      note("Reference", reference),
      note("Error name", reason),
      `<details><summary><small>Details</small></summary>${note("Error", withoutHandler(message))}${detail === undefined ? "" : note("For developers", detail)}${inspectorURL === undefined ? "" : `<p>${link([inspectorURL, "This sign-in, step by step"])}</p>`}</details>`,
    ],
  ];
}

const accessSentence = "To ask for access, send these details to the people who run this app.";

/** What happened, in sentences. */
function storyOf(look: BuiltInLook, problem: Problem, user?: Claims): string[] {
  const { kind, appText, providerText, unmet, organization, largestParts } = problem;
  const [, advice] = problemWords[kind];
  if (appText !== undefined) return [appText];
  if (unmet !== undefined) {
    return unmet.map((each) => (each.part === "rule" ? advice : sentenceOf(each)));
  }
  if (providerText !== undefined) return [`It said: “${providerText}”`];
  if (largestParts !== undefined) return [advice, `Largest: ${largestParts.join(", ")}`];
  if (kind === "email-domain" && organization !== undefined) {
    const former = user && `You're still signed in as ${user.email ?? user.sub}.`;
    return [emailStory(look, problem), ...(former === undefined ? [] : [former])];
  }
  const { email, expected } = organization ?? {};
  return [
    advice,
    ...(email === undefined ? [] : [`You signed in as ${email}.`]),
    ...(expected === undefined || expected === "" ? [] : [`This app is only open to ${expected}.`]),
  ];
}

function emailStory({ appName = "This app" }: BuiltInLook, problem: Problem): string {
  const { provider = "your sign-in provider", organization } = problem;
  const { email, expected, isUnconfirmed = false } = organization ?? {};
  if (isUnconfirmed) {
    return `${provider} hasn't confirmed ${email} yet. Confirm it there, then try again.`;
  }
  const taken = expected ? `addresses of ${expected} from` : "only some addresses of";
  return `You signed in with ${provider} as ${email}. ${appName} takes ${taken} ${provider}.`;
}

type Link = readonly [address: string, text: string];

/** The first one is what most people want next. */
function linksOf(problem: Problem): readonly Link[] {
  const { kind, code, reason, signInURL, switchAccountURL, otherWaysURL, homeURL } = problem;
  const home: Link = [homeURL, "Home page"];
  const otherWay: Link = otherWaysURL === undefined ? home : [otherWaysURL, "Sign in another way"];
  const signIn: Link = [signInURL, "Sign in"];
  const switchAccount: Link = [switchAccountURL, "Use another account"];
  const seconds: Readonly<Record<string, Link>> = {
    connection_unavailable: otherWay,
    device_proof_missing: signIn,
  };
  const [, , action] = problemWords[kind];
  if (problem.organization?.isUnconfirmed === true) return [[signInURL, "Try again"], otherWay];
  switch (action) {
    case "home":
      return kind === "forbidden" ? [home, switchAccount] : [home];
    case "reload":
      // A code works for one request only. Other pages can be loaded again.
      return [
        [code === "ERR_CALLBACK_HANDLER_FAILURE" ? signInURL : "", "Try again"],
        seconds[reason] ?? home,
      ];
    case "sign-in":
      return [signIn, home];
    case "switch-account":
      return [switchAccount, otherWay];
    case "try-again":
      return [[signInURL, "Try again"], otherWay];
  }
}

/** Returns the page that offers a kept form again; the fields are hidden. */
function keptFormPage({ action, fields, homeURL }: FormToSend): Content {
  const inputs = fields.map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHTML(name)}" value="${escapeHTML(value)}">`,
  );
  const form = `<form method="post" action="${escapeHTML(action)}">${inputs.join("")}<button>Send</button></form>`;
  return [
    "One more step",
    [
      paragraph("Thank you for signing in again. Your form has not been sent yet."),
      `<div>${form}${link([homeURL, "Do not send it"])}</div>`,
    ],
  ];
}

function choicePage({ appName }: BuiltInLook, choice: SignInChoice): Content {
  const name = appName === undefined ? "" : ` to ${escapeHTML(appName)}`;
  return [`Sign in${name}`, choiceForm(choice), choice.email?.fault !== undefined];
}

function confirmation(formURL: string, homeURL: string): string {
  const form = `<form method="post" action="${escapeHTML(formURL)}"><button>Sign out</button></form>`;
  return `<div>${form}${link([homeURL, "Stay signed in"])}</div>`;
}

/** What happened to the session at the provider; empty if unknown. */
const providerSentences: Readonly<Record<ProviderSession, string>> = {
  ended: "You are signed out of your sign-in provider too.",
  still: "You may still be signed in at your sign-in provider.",
  unconfirmed: "Your sign-in provider has not confirmed that you are signed out there.",
  unknown: "",
};

/** The page after logout. */
function signedOutPage(signedOut: SignedOut): Content {
  const { provider, copies, copiesEndBy, signInURL, homeURL } = signedOut;
  const sentence = providerSentences[provider];
  return [
    "You're signed out",
    [
      ...(sentence === "" ? [] : [paragraph(sentence)]),
      ...(copies === "pending" && copiesEndBy !== undefined
        ? [paragraph(pendingSentence(copiesEndBy))]
        : []),
      actions([
        [signInURL, "Sign in again"],
        [homeURL, "Home page"],
      ]),
    ],
  ];
}

/** UTC, since the reader's time zone is unknown here. */
function pendingSentence(copiesEndBy: number): string {
  const manner = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  const moment = new Intl.DateTimeFormat("en-GB", manner).format(copiesEndBy * 1000);
  return `We couldn't end this sign-in everywhere just now. It ends by itself by ${moment} UTC.`;
}

export function paragraph(text: string): string {
  return `<p>${escapeHTML(text)}</p>`;
}

/** Small print: a label, and text selected as a whole by one click. */
export function note(label: string, text: string): string {
  return `<p><small>${label} <code>${escapeHTML(text)}</code></small></p>`;
}

function actions(links: readonly Link[]): string {
  return `<div>${links.map(link).join("")}</div>`;
}

function link([address, text]: Link): string {
  return `<a href="${escapeHTML(address)}">${text}</a>`;
}

export function page(
  { appName, color }: BuiltInLook,
  ...[title, content, isError]: Content
): string {
  const name = appName === undefined ? "" : escapeHTML(appName);
  const { ink, fill, onFill } = readableAccent(accentOf({ color }), background, surface);
  const colors = { accent: ink, fill, "on-fill": onFill, bg: background, surface };
  const tokens = Object.entries(colors).map(([key, pair]) => `--${key}:light-dark(${pair.join()})`);
  const viewport = `<meta name="viewport" content="width=device-width,initial-scale=1">`;
  // Without an icon, browsers request /favicon.ico, which an app may not have.
  const icon = `<link rel="icon" href="data:,">`;
  const head = `<meta charset="utf-8">${viewport}${icon}<title>${isError === true ? "Error: " : ""}${title}${name && ` · ${name}`}</title><style>:root{${tokens.join(";")}}${style}</style>`;
  return `<!doctype html><html lang="en">${head}<main>${name && `<p><small>${name}</small></p>`}<h1>${title}</h1>${content.join("")}</main></html>`;
}
