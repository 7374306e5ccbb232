import { cookies, type CookieStore, headers } from "next/headers.js";
import { connection } from "next/server.js";

import type { RequestAuth } from "../../access/request-auth.ts";
import type { Auth } from "../../auth.ts";
import type { Config } from "../../config/config.ts";
import { LatchkeyError } from "../../errors/latchkey-error.ts";
import type { AdmittedRequest } from "../../host/host.ts";
import type { HostRequest, SessionChanges } from "../../http/auth-request.ts";
import { parseSetCookie } from "../../http/cookies.ts";
import { renewedHeader, targetHeader } from "./handed-on.ts";
import { hostRequest } from "./next-request.ts";
import { requestsOf } from "./shared-auth.ts";

/** One request as components, actions and route handlers see it, which share what one of them has read. */
export interface SharedRequest {
  readonly admitted: Promise<AdmittedRequest>;
  /** Where changes go: `null` in `route()`, which adds them to a response. */
  jar: CookieStore | null;
}

/** What is shared of the request that is being handled; `route()` knows the request itself. */
export type CurrentRequest = (routed?: Request) => Promise<SharedRequest>;

/**
 * The headers of a request are one object, whoever asks for them: it stands for the request.
 *
 * @param onUnseen - told of requests that no proxy has seen
 */
export function createCurrentRequest(
  auth: Auth,
  onUnseen: () => unknown = () => undefined,
): CurrentRequest {
  const requests = requestsOf<SharedRequest>(auth);
  return async (routed) => {
    // Whether a session lives depends on the clock: no page of it may be rendered ahead (decision 0058).
    const [sent, jar] = await Promise.all([headers(), cookies(), connection()]);
    const known = requests.get(sent);
    if (known !== undefined) {
      if (known.jar !== null) known.jar = jar;
      return known;
    }
    if (sent.keys().next().done) throw new TypeError(forcedStatic);
    if (sent.get(targetHeader) === null) onUnseen();
    const toRequest = () => ({
      ...(routed === undefined
        ? pageRequest(auth.config, sent)
        : hostRequest(routed, auth.config, "other")),
      isRenewed: sent.get(renewedHeader) !== null,
      changes: changesOf(() => shared.jar),
    });
    const shared: SharedRequest = {
      jar: routed === undefined ? jar : null,
      admitted: auth.host
        .receiveUnguarded(toRequest)
        .then((admitted) => refuseAsNext(admitted, () => shared)),
    };
    requests.set(sent, shared);
    return shared;
  };
}

/** Next shows such a page no header, and would build the page of a stranger for everybody. */
const forcedStatic =
  'No request is there: a page or a route handler, or a layout above it, exports dynamic = "force-static", and so is built once for everybody. Leave that out where the session is read, in the layout too.';

function changesOf(jarOf: () => CookieStore | null): SessionChanges {
  return {
    fault: () => (isReadOnly(jarOf()) ? readOnly() : null),
    write(setCookies) {
      const jar = jarOf();
      for (const line of setCookies) setCookie(jar, line);
    },
  };
}

/** A component cannot answer 401: whatever asks for its page is led to login. */
function pageRequest({ origin }: Config, sent: HostRequest["headers"]): HostRequest {
  const target = sent.get(targetHeader) ?? "/";
  const get = (name: string) => (name === "sec-fetch-mode" ? "navigate" : sent.get(name));
  return { method: "GET", url: origin + target, target, headers: { get }, body: async () => null };
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

/** Next makes redirects and error pages of errors of its own kind only, which it knows by their digest. */
function refuseAsNext(admitted: AdmittedRequest, sharedOf: () => SharedRequest): AdmittedRequest {
  admitted.onRefused((error) => {
    if (sharedOf().jar === null || !(error instanceof LatchkeyError)) return;
    const location = admitted.leadOf(error);
    if (location !== null) throw Object.assign(error, { digest: redirectDigest(location) });
    const { status } = error as { readonly status?: unknown };
    if (status === 401 || status === 403)
      throw Object.assign(error, { digest: statusDigest(status) });
  });
  return admitted;
}

/** What `redirect()` of Next throws. */
export function redirectError(location: string): Error {
  return Object.assign(new Error("Redirected"), { digest: redirectDigest(location) });
}

function redirectDigest(location: string): string {
  return `NEXT_REDIRECT;replace;${location};307;`;
}

/** What `unauthorized()` and `forbidden()` of Next throw, which need a setting of their own. */
function statusDigest(status: number): string {
  return `NEXT_HTTP_ERROR_FALLBACK;${status}`;
}

/** Who makes the request that is being handled: for components, server actions and route handlers. */
export async function authOf(current: CurrentRequest): Promise<RequestAuth> {
  const { admitted } = await current();
  return (await admitted).auth;
}
