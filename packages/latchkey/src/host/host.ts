import { createExchange, type Exchange, innerExchange } from "../request/exchange.ts";
import { accessErrorOf, explainRules, firstStepUp } from "../principal/access-rules.ts";
import { principalOfSession } from "../principal/principal.ts";
import { isPublic } from "../request/guard/guard.ts";
import { pathRulesOver } from "../request/guard/path-rules.ts";
import { onSessionEnd } from "../ends/on-session-end.ts";
import { warnOfOtherHost, warnOfPlainRequest } from "../request/other-host.ts";
import { warnOfTokenWithoutAPI } from "../request/token-without-api.ts";
import type { RequestAuth } from "./request-auth.ts";
import { SessionAuth } from "./session-auth.ts";
import { closes, type PathRule } from "../config/access-rule.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import type { HostRequest } from "../http/auth-request.ts";
import {
  isHeaderValue,
  noStoreHeaders,
  sessionCacheHeaders,
  withHeaders,
} from "../http/headers.ts";
import { homeTarget, parseTarget, type RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { errorResponse } from "../routes/error-response.ts";
import type { SessionData, StoredSession } from "../session/session.ts";
import type { AdmittedRequest, Received } from "./admitted-request.ts";
import type { Callers } from "./callers.ts";
import type { Inspector } from "./inspector.ts";
import type { HostContext } from "./host-context.ts";
import type { OpenedHost, Receive } from "./opened-host.ts";
import { withClientLog } from "./client-log.ts";
import { respondByPages } from "./own-pages.ts";
import { leadOf, refuse, type Refused, signInFor } from "./refuse.ts";
import { createRouteTable, respondByRoute } from "./route-table.ts";

/** Sign-in as adapters use it. Apps use `auth.respond`, or an adapter. */
export interface Host {
  /**
   * Answers a request or admits it. Never throws.
   *
   * @param key - the object by which handlers find the request, for `auth.of`
   * @param toRequest - see {@link ToRequest}
   * @param outer - the outer request, for internal sub-requests of the app
   */
  receive(key: object, toRequest: ToRequest, outer?: AdmittedRequest): Promise<Received>;
  /**
   * Admits a request which the application handles already, without a guard.
   *
   * @throws {ConfigError} if the settings are wrong or the store cannot be opened
   */
  receiveUnguarded(toRequest: ToRequest, outer?: AdmittedRequest): Promise<AdmittedRequest>;
  /** The admitted request, so that a host with sign-in mounted twice admits it once. */
  admittedOf(key: object): AdmittedRequest | undefined;
  /** Adds the session's headers to the application's response, or to a copy of an immutable one. */
  commit(admitted: AdmittedRequest, response: Response): Response;
  /** @throws {TypeError} if the request was not admitted */
  authOf(key: object): RequestAuth;
}

/**
 * Makes the request of a host one for sign-in.
 *
 * @param origin - of the base URL, on which every request is read
 * @param config - `null` while the settings are wrong; the request is then read for its headers
 */
export type ToRequest = (origin: string, config: Config | null) => HostRequest;

export interface HostOptions {
  /** Checks the settings and opens the store, once. */
  readonly open: () => Promise<HostContext>;
  /** Returns those who may call with an access token; `null` if only sessions count. */
  readonly openCallers?: (context: Context) => Callers | null;
  /** Returns what shows sign-ins to developers; `null` in production. Called after `open`. */
  readonly openInspector?: () => Inspector | null;
  /** Makes the response if the settings or the store cannot be used. */
  readonly onFault: (error: unknown, toRequest: ToRequest) => MaybePromise<ResponseParts>;
}

export function createHost({ open, openCallers, openInspector, onFault }: HostOptions): Host {
  // A property of the request: a WeakMap would keep both until the next full garbage collection
  // (0025).
  const place = Symbol("admitted");
  type Placed = { [place]?: AdmittedRequest };
  const admittedOf = (key: object) => (key as Placed | undefined)?.[place];
  const before = Symbol("headers before");
  let opened: (OpenedHost & { readonly receive: Receive }) | undefined;

  async function openOnce() {
    const context = await open();
    return (opened ??= {
      context,
      callers: openCallers?.(context) ?? null,
      table: createRouteTable(context),
      receive: openInspector?.()?.around(receive) ?? receive,
    });
  }

  return {
    async receive(key, toRequest, outer) {
      try {
        const ready = opened ?? (await openOnce());
        const { config } = ready.context;
        const request = toRequest(config.origin, config);
        const received = await ready.receive(ready, request, outer);
        if ("admitted" in received) (key as Placed)[place] = received.admitted;
        return received;
      } catch (error) {
        return { response: await onFault(error, toRequest) };
      }
    },
    async receiveUnguarded(toRequest, outer) {
      const { context: shared, callers } = opened ?? (await openOnce());
      const request = toRequest(shared.config.origin, shared.config);
      const context = withClientLog(shared, request);
      const target = parseTarget(request.target) ?? homeTarget;
      const admitted = await callers?.admit({ context, request, target, outer });
      if (admitted !== undefined && admitted !== null) return admitted;
      const exchange = exchangeOf(context, request, outer);
      return admitUnguarded(context, { exchange, target, by: "app", callers });
    },
    admittedOf,
    commit: (admitted, response) => withHeaders(response, admitted.commit(), before),
    authOf(key) {
      const admitted = admittedOf(key);
      if (admitted !== undefined) return admitted.auth;
      throw new TypeError(
        "This request has not passed sign-in: handle it behind auth.respond or an adapter.",
      );
    },
  };
}

const receive: Receive = async ({ context: shared, callers, table }, request, outer) => {
  const context = withClientLog(shared, request);
  const exchange = exchangeOf(context, request, outer);
  const target = parseTarget(request.target);
  if (target === null) {
    const refusal = new Refusal("target_malformed");
    return respondWith(context, exchange, errorResponse(context, exchange, "guard", refusal));
  }
  const ofRoute = respondByRoute(context, table, exchange, target);
  if (ofRoute !== null) return respondWith(context, exchange, ofRoute);
  const targets = [target, ...(request.otherTargets ?? []).map(parseTarget)];
  const rules = rulesOver(context, targets);
  const isPublicPath = isOpen(context, targets);
  const ofPage = respondByPages(context, { exchange, target, rules, isOpen: isPublicPath });
  if (ofPage !== null) return respondWith(context, exchange, ofPage);
  const isGuarded = !isPublicPath || rules.some(closes);
  const refused: Refused = { exchange, target, by: "guard", callers };
  const called = { context, request, target, outer, rules, isGuarded };
  const received = (await callers?.receive(called)) ?? null;
  if (received !== null && received !== "unguarded") return received;
  return isGuarded && received === null
    ? admitSignedIn(context, refused, rules)
    : { admitted: await admitUnguarded(context, refused) };
};

function exchangeOf(context: Context, request: HostRequest, outer?: AdmittedRequest): Exchange {
  const cookieOf = ({ headers }: HostRequest) => headers.get("cookie");
  const isShared = outer !== undefined && cookieOf(outer.exchange.request) === cookieOf(request);
  return isShared ? innerExchange(outer.exchange, request) : createExchange(context, request);
}

type Rules = readonly PathRule<SessionData>[];
/** `null` stands for a malformed target, which is never public and to which every rule applies. */
type Targets = readonly (RequestTarget | null)[];

function isOpen({ config }: Context, targets: Targets): boolean {
  return targets.every((each) => each !== null && isPublic(config, each));
}

function rulesOver({ config, pathRules }: Context, targets: Targets): Rules {
  if (pathRules.length === 0) return pathRules;
  const rules = targets.flatMap((each) =>
    each === null ? pathRules : pathRulesOver(config, pathRules, each),
  );
  return [...new Set(rules)];
}

/** Admits a request without a guard. If the store fails, only reading the session throws. */
async function admitUnguarded(context: HostContext, refused: Refused): Promise<AdmittedRequest> {
  await refused.exchange.read().catch(() => undefined);
  return admit(context, refused);
}

async function admitSignedIn(
  context: HostContext,
  refused: Refused,
  rules: Rules,
): Promise<Received> {
  const { exchange, callers } = refused;
  const { config } = context;
  try {
    const result = await exchange.use();
    if (result.state !== "active") {
      // In production, health probes use the address of an instance.
      if (!config.production) {
        warnOfOtherHost(context, exchange.request);
        warnOfPlainRequest(context, exchange.request);
        if (callers === null) warnOfTokenWithoutAPI(context, exchange.request);
      }
      const stepUp = firstStepUp(explainRules(context, null, rules));
      return respondWith(context, exchange, signInFor(context, refused, stepUp));
    }
    const refusal = refusalBy(context, rules, result.stored);
    const response = refusal && refuse(context, refused, refusal);
    if (response !== null) return respondWith(context, exchange, response);
    return { admitted: admit(context, refused) };
  } catch (error) {
    return respondWith(context, exchange, errorResponse(context, exchange, "guard", error));
  }
}

/** Returns the error for what is unmet of the rules of a path; `null` if all are met. */
function refusalBy(context: Context, rules: Rules, stored: StoredSession): Error | null {
  if (rules.length === 0) return null;
  return accessErrorOf(explainRules(context, principalOfSession(stored, context.config), rules));
}

async function respondWith(
  context: Context,
  exchange: Exchange,
  making: MaybePromise<ResponseParts>,
): Promise<Received> {
  return { response: await withSession(context, exchange, making) };
}

/** Adds the session's headers. A header that no server can send becomes an error, and is logged. */
async function withSession(
  context: Context,
  exchange: Exchange,
  making: MaybePromise<ResponseParts>,
): Promise<ResponseParts> {
  const parts = withSessionHeaders(exchange, await making);
  const wrong = parts.headers.find(([, value]) => !isHeaderValue(value));
  if (wrong === undefined) return parts;
  const error = new TypeError(`The header ${wrong[0]} has characters that HTTP cannot send.`);
  const instead = await errorResponse(context, exchange, "unknown", error);
  const { headers, ...rest } = withSessionHeaders(exchange, instead);
  return { ...rest, headers: headers.filter(([, value]) => isHeaderValue(value)) };
}

/** Adds the session's headers, and `Cache-Control` to a response of ours without one. */
function withSessionHeaders(exchange: Exchange, parts: ResponseParts): ResponseParts {
  const committed = exchange.commit();
  const hasCacheControl = parts.headers.some(([name]) => name === "Cache-Control");
  const ofResponse = exchange.hasRead() ? sessionCacheHeaders : noStoreHeaders;
  const headers = committed.length > 0 || hasCacheControl ? committed : ofResponse;
  return { ...parts, headers: [...parts.headers, ...headers] };
}

function admit(context: HostContext, refused: Refused): AdmittedRequest {
  const { exchange } = refused;
  let onRefused: (error: unknown) => void = () => undefined;
  return {
    exchange,
    auth: new SessionAuth(context, exchange, (error) => onRefused(error)),
    carriesSession: () =>
      exchange.read().then(
        ({ state }) => state !== "none",
        () => false,
      ),
    commit: () => exchange.commit(),
    onRefused: (listener) => void (onRefused = listener),
    onSessionEnd: (listener) => onSessionEnd(context, exchange, listener),
    leadOf: (error) => leadOf(context, refused, error),
    recover(error) {
      const response = refuse(context, { ...refused, by: "app" }, error);
      return response && withSession(context, exchange, response);
    },
  };
}
