import { cookies, type CookieStore, headers } from "next/headers.js";

import { requireSignIn } from "../../access/guard.ts";
import type { RequestAuth } from "../../access/request-auth.ts";
import type { Auth } from "../../auth.ts";
import { LatchkeyError } from "../../errors/latchkey-error.ts";
import type { Passage } from "../../host/receive.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import { parseSetCookie } from "../../http/cookies.ts";
import { parseTarget } from "../../http/request-target.ts";
import { renewedHeader, targetHeader } from "./handed-on.ts";

/** One request as components, actions and route handlers see it, which share what one of them has read. */
export interface Visit {
  readonly passage: Promise<Passage>;
  /** Where changes go: `null` where {@link Passage.commit} adds them to a response. */
  jar: CookieStore | null;
}

/** The visit of the request that is being handled. */
export type CurrentVisit = () => Promise<Visit>;

/** The headers of a request are one object, whoever asks for them: it stands for the request. */
export function createCurrentVisit(auth: Auth): CurrentVisit {
  const visits = new WeakMap<object, Visit>();
  return async () => {
    const [sent, jar] = await Promise.all([headers(), cookies()]);
    const known = visits.get(sent);
    if (known !== undefined) {
      if (known.jar !== null) known.jar = jar;
      return known;
    }
    const visit = openVisit(auth, sent, jar);
    visits.set(sent, visit);
    return visit;
  };
}

function openVisit(auth: Auth, sent: HostRequest["headers"], jar: CookieStore): Visit {
  let request: HostRequest | undefined;
  const passage = auth.host.receiveUnguarded((origin) => {
    request = visitRequest(origin, sent, () => visit.jar);
    return request;
  });
  const visit: Visit = { jar, passage: passage.then(refuseForNext) };
  return visit;

  /** Next makes redirects and error pages of errors of its own kind only. */
  function refuseForNext(opened: Passage): Passage {
    opened.onRefused((error) => {
      if (visit.jar !== null && request !== undefined) refuse(auth, request, error);
    });
    return opened;
  }
}

function visitRequest(
  origin: string,
  sent: HostRequest["headers"],
  jarOf: () => CookieStore | null,
): HostRequest {
  const target = sent.get(targetHeader) ?? "/";
  return {
    method: "GET",
    url: origin + target,
    target,
    // A component cannot answer 401: whatever asks for its page is led to login.
    headers: { get: (name) => (name === "sec-fetch-mode" ? "navigate" : sent.get(name)) },
    body: async () => null,
    isRenewed: sent.get(renewedHeader) !== null,
    changes: {
      isReadOnly: () => isReadOnly(jarOf()),
      check() {
        if (isReadOnly(jarOf())) throw readOnly();
      },
      write(setCookies) {
        const jar = jarOf();
        for (const line of setCookies) setCookie(jar, line);
      },
    },
  };
}

/** Where Next lets nobody write, `set` and `delete` are one function, which throws. */
function isReadOnly(jar: CookieStore | null): boolean {
  return jar !== null && (jar.set as unknown) === jar.delete;
}

export function setCookie(jar: CookieStore | null, line: string): void {
  const { value = "", ...cookie } = parseSetCookie(line);
  jar?.set({ value, ...cookie });
}

function readOnly(): LatchkeyError {
  return new LatchkeyError(
    "ERR_READ_ONLY",
    "A server component cannot set cookies, so the session can only be read here. Change it in a server action or a route handler. Tokens are refreshed by proxy.ts before the page is rendered: let its matcher include this page.",
  );
}

function refuse({ config }: Auth, request: HostRequest, error: unknown): void {
  const code = codeOf(error);
  if (code === "ERR_FORBIDDEN") throwForNext(error, statusDigest(403));
  if (code !== "ERR_SIGN_IN_REQUIRED" && code !== "ERR_MISSING_SESSION") return;
  const target = parseTarget(request.target) ?? { path: "/", query: "", isAbsolute: false };
  const parts = requireSignIn(config, request, target);
  const location = parts.headers.find(([name]) => name === "Location")?.[1];
  throwForNext(
    error,
    location === undefined ? statusDigest(parts.status) : redirectDigest(location),
  );
}

/** By its code, not its class: the proxy's bundle may have made it. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** By its digest Next knows what `redirect()`, `unauthorized()` and `forbidden()` throw. */
function throwForNext(error: unknown, digest: string): never {
  throw Object.assign(error as Error, { digest });
}

/** What `redirect()` of Next throws. */
export function redirectError(location: string): Error {
  return Object.assign(new Error("Redirected"), { digest: redirectDigest(location) });
}

function redirectDigest(location: string): string {
  return `NEXT_REDIRECT;replace;${location};307;`;
}

function statusDigest(status: number): string {
  return `NEXT_HTTP_ERROR_FALLBACK;${status}`;
}

/** Who makes the request that is being handled: for components, server actions and route handlers. */
export async function authOf(current: CurrentVisit): Promise<RequestAuth> {
  const { passage } = await current();
  return (await passage).auth;
}
