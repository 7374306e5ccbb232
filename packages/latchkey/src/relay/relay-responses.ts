import type { Config } from "../config/config.ts";
import { clockToleranceSeconds } from "../config/constants.ts";
import type { KeyRing } from "../crypto/key-ring.ts";
import { Refusal } from "../errors/refusal.ts";
import { withClientLog } from "../host/client-log.ts";
import type { HostContext } from "../host/host-context.ts";
import type { Receive } from "../host/part.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { isPrefetch } from "../http/fetch-metadata.ts";
import { readForm } from "../http/form.ts";
import { noStoreHeaders } from "../http/headers.ts";
import type { OriginPattern } from "../http/origin-pattern.ts";
import type { Collected } from "../http/parameters.ts";
import { parseTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import { appPath } from "../config/addresses.ts";
import { createCookielessExchange } from "../request/exchange.ts";
import { errorResponse } from "../routes/error-response.ts";
import { readResponse } from "../routes/read-response.ts";
import { isSealedState, openState, type RelayedSignIn } from "./relayed-state.ts";
import { withoutTrailingSlash, withoutTrailingSlashes } from "../http/trailing-slash.ts";

/** What a relay goes by. */
export interface Relay {
  readonly keys: KeyRing;
  readonly origins: readonly OriginPattern[];
  /** Whether a site is the relay. Elsewhere responses are for the site itself. */
  readonly isRelay: (site: Pick<Config, "baseURL">) => boolean;
}

/** Users take this long at the provider, at most. In milliseconds. */
const relayedWithinMs = 600_000;

/**
 * Sends the responses for previews on to them, before anything else sees the request: no cookie is
 * read or written, and neither the store nor the provider is called.
 */
export function relayResponses(relay: Relay): (receive: Receive) => Receive {
  return (receive) => async (context, request, outer) => {
    const path = responsePath(relay, context, request);
    if (path === null) return receive(context, request, outer);
    const { response, again } = await readAhead(request);
    const state = response.parameters.get("state") ?? "";
    if (!isSealedState(state)) return receive(context, again, outer);
    const received = { ...response, path, request };
    return { response: await respond(relay, withClientLog(context, request), received) };
  };
}

/** The path of a response of the provider, below the base URL; `null` for any other request. */
function responsePath(
  { isRelay }: Relay,
  { config }: HostContext,
  request: HostRequest,
): string | null {
  if (!isRelay(config)) return null;
  const { method } = request;
  if (method !== "POST" && (method !== "GET" || isPrefetch(request))) return null;
  const path = withoutTrailingSlash(appPath(config, parseTarget(request.target)?.path ?? ""));
  const { callback } = config.routes;
  return path === callback || path.startsWith(`${callback}/`) ? path : null;
}

const noResponse: Collected = { parameters: new Map(), repeated: [] };

interface ReadAhead {
  readonly response: Collected;
  /** The same request, whose body can be read once more. */
  readonly again: HostRequest;
}

async function readAhead(request: HostRequest): Promise<ReadAhead> {
  if (request.method !== "POST") return { response: await readResponse(request), again: request };
  try {
    const form = (await readForm(request)).toString();
    const again = { ...request, body: async () => form };
    return { response: await readResponse(again), again };
  } catch (cause) {
    const body = () => Promise.reject<never>(cause);
    return { response: noResponse, again: { ...request, body } };
  }
}

interface Received extends Collected {
  readonly path: string;
  readonly request: HostRequest;
}

const ends = { well: ({ status }: ResponseParts) => ({ status }) };

async function respond(
  relay: Relay,
  context: HostContext,
  received: Received,
): Promise<ResponseParts> {
  const refuse = (at: HostContext, refusal: unknown) =>
    errorResponse(at, createCookielessExchange(at, received.request), "callback", refusal);
  const answer = async () => {
    try {
      const { baseURL, started } = admittedSignIn(relay, received);
      if (isCurrent(started, context.clock())) return sendOn(baseURL, received);
      const late = new Refusal("relay_refused", { detail: "it is older than ten minutes" });
      // The page leads back to the preview.
      return await refuse({ ...context, config: { ...context.config, baseURL } }, late);
    } catch (refusal) {
      return refuse(context, refusal);
    }
  };
  const parts = await context.observer.run({ kind: "route", name: "relay" }, answer, ends);
  return { ...parts, headers: [...parts.headers, ...noStoreHeaders] };
}

/** @throws {Refusal} `relay_refused`, `parameter_repeated` */
function admittedSignIn({ keys, origins }: Relay, received: Received): RelayedSignIn {
  const { path, parameters, repeated } = received;
  const signIn = openState(keys, parameters.get("state") ?? "");
  if (signIn === null) throw refusalFor("its state is not sealed with the secret of this relay");
  const { origin, pathname } = URL.parse(signIn.baseURL) ?? { origin: "null", pathname: "" };
  if (!origins.some((matches) => matches(origin)))
    throw refusalFor(`${origin} is not in its origins`);
  if (signIn.path !== path) throw refusalFor(`it is for ${signIn.path}, and arrived at ${path}`);
  if (repeated[0] !== undefined) throw new Refusal("parameter_repeated", { detail: repeated[0] });
  return { ...signIn, baseURL: origin + withoutTrailingSlashes(pathname) };
}

function refusalFor(detail: string): Refusal {
  return new Refusal("relay_refused", { detail });
}

/** The clocks of preview and relay may differ. */
function isCurrent(started: number, nowMs: number): boolean {
  return started - clockToleranceSeconds * 1000 <= nowMs && nowMs <= started + relayedWithinMs;
}

/** A form is sent again by the browser itself (RFC 9110, section 15.4.8). */
function sendOn(baseURL: string, { path, parameters, request }: Received): ResponseParts {
  const query = new URLSearchParams([...parameters]);
  const isForm = request.method === "POST";
  const location = baseURL + path + (isForm ? "" : `?${query}`);
  const headers: ResponseParts["headers"] = [
    ["Location", location],
    ["Referrer-Policy", "no-referrer"],
  ];
  return { status: isForm ? 307 : 303, headers, body: null };
}
