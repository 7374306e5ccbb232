import { cookies, headers } from "next/headers.js";
import { connection } from "next/server.js";

import type { RequestAuth } from "../../host/request-auth.ts";
import type { Auth } from "../../index.ts";
import type { Config } from "../../config/config.ts";
import { Forbidden } from "../../errors/access-errors.ts";
import { LatchkeyError } from "../../errors/latchkey-error.ts";
import type { ToRequest } from "../../host/host.ts";
import type { AdmittedRequest } from "../../host/admitted-request.ts";
import type { HostRequest, SessionChanges } from "../../http/auth-request.ts";
import { parseSetCookie } from "../../http/cookies.ts";
import { hostRequest } from "./next-request.ts";
import { requestsOf } from "./shared-auth.ts";
import {
  type CookieStore,
  hasAuthInterrupts,
  isReadOnly,
  renewedHeader,
  targetHeader,
  throwAsNext,
} from "./wire.ts";

/** One request, shared by its components, actions and route handlers. The session is read once. */
export interface SharedRequest {
  readonly admitted: Promise<AdmittedRequest>;
  /** The cookies to change. `null` in `route()`, which adds changes to a response. */
  jar: CookieStore | null;
}

/** Returns the current request. Only `route()` knows the `Request` itself. */
export type CurrentRequest = (routed?: Request) => Promise<SharedRequest>;

/**
 * Finds the current request by its headers, which are one object for all callers.
 *
 * @param onUnseen - called for a request which no proxy has seen
 */
export function createCurrentRequest(
  auth: Auth,
  onUnseen: () => unknown = () => undefined,
): CurrentRequest {
  const requests = requestsOf<SharedRequest>(auth);
  return async (routed) => {
    // Whether a session is active depends on the clock: its page must not be prerendered (0058).
    const [sent, jar] = await Promise.all([headers(), cookies(), connection()]);
    const known = requests.get(sent);
    if (known !== undefined) {
      if (known.jar !== null) known.jar = jar;
      return known;
    }
    if (sent.keys().next().done) throw new TypeError(forcedStatic);
    if (sent.get(targetHeader) === null) onUnseen();
    const toRequest: ToRequest = (_, config) => ({
      ...(routed === undefined
        ? pageRequest(config ?? auth.config, sent)
        : hostRequest(routed, config ?? auth.config, "other")),
      changes: {
        isRenewed: sent.get(renewedHeader) !== null,
        ...changesOf(() => shared.jar),
      },
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

/** Next shows such a page no header, and would build it once, signed out, for all users. */
const forcedStatic =
  'No request is there: a page or a route handler, or a layout above it, exports dynamic = "force-static", and so is built once for everybody. Leave that out where the session is read, in the layout too.';

function changesOf(jarOf: () => CookieStore | null): SessionChanges {
  return {
    fault: () => (isReadOnly(jarOf()) ? readOnly() : null),
    write(setCookies) {
      const jar = jarOf();
      // The store has what a component refreshes: the cookie is renewed by another request.
      if (isReadOnly(jar)) return;
      for (const line of setCookies) setCookie(jar, line);
    },
  };
}

/** A component cannot answer 401, so each request for its page is led to login. */
function pageRequest({ origin }: Config, sent: HostRequest["headers"]): HostRequest {
  const target = sent.get(targetHeader) ?? "/";
  const get = (name: string) => (name === "sec-fetch-mode" ? "navigate" : sent.get(name));
  return { method: "GET", url: origin + target, target, headers: { get }, body: async () => null };
}

export function setCookie(jar: CookieStore | null, line: string): void {
  const { value = "", ...cookie } = parseSetCookie(line);
  jar?.set({ value, ...cookie });
}

function readOnly(): LatchkeyError {
  return new LatchkeyError(
    "ERR_READ_ONLY",
    "A server component cannot set cookies, so the session can only be read here. Change it in a server action or a route handler. Tokens are refreshed by proxy.ts before the page is rendered: let its matcher include this page, and name the API of a token with a resource in LATCHKEY_RESOURCES. If both are so, the log says why there is no token.",
  );
}

function refuseAsNext(admitted: AdmittedRequest, sharedOf: () => SharedRequest): AdmittedRequest {
  admitted.onRefused((error) => {
    if (sharedOf().jar === null || !(error instanceof LatchkeyError)) return;
    const isForNext = error instanceof Forbidden && hasAuthInterrupts();
    throwAsNext(error, isForNext ? null : admitted.leadOf(error));
  });
  return admitted;
}

/**
 * The session and user of the current request, for components, server actions and route handlers.
 */
export async function authOf(current: CurrentRequest): Promise<RequestAuth> {
  const { admitted } = await current();
  return (await admitted).auth;
}

/** The settings at the site of the current request; else those of the primary site. */
export async function configOfCurrent({ host, config }: Auth): Promise<Config> {
  const sent = await headers();
  return (await host.configAt((_, site) => pageRequest(site ?? config, sent))) ?? config;
}
