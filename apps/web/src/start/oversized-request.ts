import { type AuthRequest, type Config, referenceOf } from "latchkey";

import type { OversizedPart } from "../serving/header-limits.ts";
import type { OversizedResponse } from "../serving/malformed-request.ts";
import type { OwnPages } from "./own-pages.ts";

type Opened = ReturnType<OwnPages["opened"]>;
type PageProblem = Parameters<Opened["problem"]>[0];

const problems: Readonly<
  Record<OversizedPart, Pick<PageProblem, "kind" | "status" | "code" | "reason" | "message">>
> = {
  address: {
    kind: "address-too-long",
    status: 414,
    code: "ERR_ADDRESS_TOO_LONG",
    reason: "address_too_long",
    message: "The address of the request is too long.",
  },
  cookies: {
    kind: "too-many-cookies",
    status: 431,
    code: "ERR_TOO_MANY_COOKIES",
    reason: "cookies_too_large",
    message: "The cookies of the request are too large.",
  },
  headers: {
    kind: "headers-too-large",
    status: 431,
    code: "ERR_HEADERS_TOO_LARGE",
    reason: "headers_too_large",
    message: "The headers of the request are too large.",
  },
};

/** Chunks of 4096 bytes, well beyond what the server reads. */
const chunksAtMost = 40;

interface Parts {
  readonly pages: Pick<Opened, "problem">;
  readonly config: Config;
  /** In epoch seconds. */
  readonly now: () => number;
  readonly log: (line: object) => void;
}

/**
 * Renders the page for a request with a too large head. If the cookies are too large, it clears
 * ours: otherwise the browser would stay locked out until the user clears them. Other parts may
 * come from another site, so they sign no user out.
 */
export function oversizedRequest({
  pages,
  config,
  now,
  log,
}: Parts): (part: OversizedPart, language: string | null) => Promise<OversizedResponse> {
  const clearing = clearingCookies(config);
  const homeURL = `${config.baseURL}/`;
  const signInURL = config.baseURL + config.routes.login;
  const switchAccountURL = `${signInURL}?prompt=select_account`;
  return async (part, language) => {
    const reference = newReference();
    const problem = {
      ...problems[part],
      reference,
      time: new Date(now() * 1000).toISOString(),
      signInURL,
      switchAccountURL,
      homeURL,
    };
    const { reason, status } = problem;
    log({ event: "refusal", route: "page", reason, status, reference });
    const page = await pages.problem(problem, requestFor(homeURL, language), null);
    return { status, ...page, setCookies: part === "cookies" ? clearing : [] };
  };
}

/** Nothing else of the request is read. */
function requestFor(url: string, language: string | null): AuthRequest {
  const get = (name: string) => (name === "accept-language" ? language : null);
  return { method: "GET", url, headers: { get } };
}

function newReference(): string {
  return referenceOf(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(8))));
}

function clearingCookies({ session: { name, cookie }, transactionCookie }: Config): string[] {
  const chunks = Array.from({ length: chunksAtMost }, (_, index) => `${name}.${index}`);
  const attributes = [
    "Max-Age=0",
    `Path=${cookie.path}`,
    ...(cookie.domain === undefined ? [] : [`Domain=${cookie.domain}`]),
    ...(cookie.secure ? ["Secure"] : []),
  ].join("; ");
  return [name, ...chunks, `${name}.t`, transactionCookie.name].map(
    (each) => `${each}=; ${attributes}`,
  );
}
