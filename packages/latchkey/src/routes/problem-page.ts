import type { Problem } from "../errors/problem.ts";

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:35rem;margin:18vh auto 0;padding:0 1rem;color-scheme:light dark}" +
  "h1{font-size:1.5rem;line-height:1.2}code{user-select:all}";

/** The page that is shown where the app brings none of its own: plain, complete, without scripts. */
export function plainProblemPage(problem: Problem): string {
  const { kind, reference, message, signInURL, formURL } = problem;
  const isQuestion = kind === "confirm-sign-out" && formURL !== undefined;
  const title = isQuestion ? "Sign out?" : titleOf(problem.status);
  const action = isQuestion
    ? `<form method="post" action="${escape(formURL)}"><button>Sign out</button></form>`
    : `<p><a href="${escape(signInURL)}">Sign in</a></p>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style><main><h1>${title}</h1><p>${escape(message)}</p>${action}<p>Reference <code>${escape(reference)}</code></p></main></html>`;
}

function titleOf(status: number): string {
  if (status === 404) return "Page not found";
  return status >= 500 ? "Something went wrong" : "We couldn't sign you in";
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
