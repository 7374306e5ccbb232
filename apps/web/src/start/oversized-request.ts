import { type Auth, type Config, referenceOf } from "latchkey";

import type { OversizedPart } from "../serving/header-limits.ts";
import type { HeadersRead, OversizedResponse } from "../serving/malformed-request.ts";
import type { OwnPages } from "./own-pages.ts";

type PageProblem = Parameters<ReturnType<OwnPages["at"]>["problem"]>[0];

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
  readonly pages: Pick<OwnPages, "at">;
  readonly auth: Pick<Auth, "host">;
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
  auth,
  now,
  log,
}: Parts): (part: OversizedPart, headers: HeadersRead) => Promise<OversizedResponse> {
  return async (part, headers) => {
    const config = await auth.host.configAt((origin) => requestFor(`${origin}/`, headers));
    const reference = newReference();
    const { reason, status } = problems[part];
    log({ event: "refusal", route: "page", reason, status, reference });
    // Another host is shown nothing of the app.
    if (config === null) return { status, html: "", setCookies: [] };
    const addresses = addressesAt(config);
    const time = new Date(now() * 1000).toISOString();
    const problem = { ...problems[part], ...addresses, reference, time };
    const request = requestFor(addresses.homeURL, headers);
    const page = await pages.at(config).problem(problem, request, null);
    return { status, ...page, setCookies: part === "cookies" ? clearingCookies(config) : [] };
  };
}

function addressesAt({ baseURL, routes }: Config) {
  const signInURL = baseURL + routes.login;
  const switchAccountURL = `${signInURL}?prompt=select_account`;
  return { homeURL: `${baseURL}/`, signInURL, switchAccountURL };
}

/** Nothing else of the request is read than its host and its language. */
function requestFor(url: string, headers: HeadersRead) {
  const { pathname: target } = new URL(url);
  return { method: "GET", url, target, headers, body: () => Promise.resolve(null) };
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
