import type { Problem } from "../errors/problem.ts";
import type { ProviderSession, SignedOut } from "../errors/signed-out.ts";

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:35rem;margin:18vh auto 0;padding:0 1rem;color-scheme:light dark}" +
  "h1{font-size:1.5rem;line-height:1.2}code{user-select:all;overflow-wrap:anywhere}";

/** The page for a problem where the app brings none of its own: plain, complete, without scripts. */
export function problemPage(problem: Problem): string {
  const { kind, reference, message, detail, largestParts, signInURL, formURL } = problem;
  const isQuestion = kind === "confirm-sign-out" && formURL !== undefined;
  const action = isQuestion
    ? `<form method="post" action="${escape(formURL)}"><button>Sign out</button></form>`
    : link(signInURL, "Sign in");
  return page(isQuestion ? "Sign out?" : titleOf(problem), [
    `<p>${escape(message)}</p>`,
    ...(largestParts === undefined
      ? []
      : [`<p>${escape(`Largest: ${largestParts.join(", ")}`)}</p>`]),
    ...(detail === undefined ? [] : [`<p>For developers: <code>${escape(detail)}</code></p>`]),
    action,
    `<p>Reference <code>${escape(reference)}</code></p>`,
  ]);
}

function titleOf({ kind, status }: Problem): string {
  if (status === 404) return "Page not found";
  if (kind === "forbidden") return "You can't open this page";
  return status >= 500 ? "Something went wrong" : "We couldn't sign you in";
}

/** What happened to the session at the provider; nothing where it is not known. */
const providerSentences: Readonly<Record<ProviderSession, string>> = {
  ended: "You are signed out of your sign-in provider too.",
  still: "You may still be signed in at your sign-in provider.",
  unconfirmed: "Your sign-in provider has not confirmed that you are signed out there.",
  unknown: "",
};

/** The page on which logout lands where the app brings none of its own. */
export function signedOutPage({ provider, signInURL, homeURL }: SignedOut): string {
  const sentence = providerSentences[provider];
  return page("You're signed out", [
    ...(sentence === "" ? [] : [`<p>${sentence}</p>`]),
    link(signInURL, "Sign in again"),
    link(homeURL, "Home page"),
  ]);
}

function link(address: string, text: string): string {
  return `<p><a href="${escape(address)}">${text}</a></p>`;
}

function page(title: string, content: readonly string[]): string {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style>`;
  return `<!doctype html><html lang="en">${head}<main><h1>${title}</h1>${content.join("")}</main></html>`;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
