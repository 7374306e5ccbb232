import { newReference } from "./reference.ts";
import type { PageProblem } from "./page-problem.ts";

/** A problem of the app's own pages. */
export type AppProblemKind = keyof typeof problems;

const problems = {
  "address-too-long": {
    status: 414,
    code: "ERR_ADDRESS_TOO_LONG",
    reason: "address_too_long",
    message: "The address of the request is too long.",
  },
  "headers-too-large": {
    status: 431,
    code: "ERR_HEADERS_TOO_LARGE",
    reason: "headers_too_large",
    message: "The headers of the request are too large.",
  },
  "not-found": { status: 404, code: "ERR_NOT_FOUND", reason: "not_found", message: "Not found." },
  "server-error": {
    status: 500,
    code: "ERR_INTERNAL",
    reason: "internal",
    message: "Something went wrong on our side.",
  },
  "too-many-cookies": {
    status: 431,
    code: "ERR_TOO_MANY_COOKIES",
    reason: "cookies_too_large",
    message: "The cookies of the request are too large.",
  },
} as const;

interface ProblemAddresses {
  readonly baseURL: string;
  readonly loginPath: string;
  readonly now: () => number;
}

/** Returns the problem of a page of the app that could not be shown. */
export function appProblem(
  kind: AppProblemKind,
  { baseURL, loginPath, now }: ProblemAddresses,
): PageProblem {
  const login = baseURL + loginPath;
  return {
    kind,
    ...problems[kind],
    reference: newReference(),
    time: new Date(now() * 1000).toISOString(),
    signInURL: login,
    switchAccountURL: `${login}?prompt=select_account`,
    homeURL: `${baseURL}/`,
  };
}
