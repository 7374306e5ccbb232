import { createExchange, type Exchange, innerExchange } from "../request/exchange.ts";
import {
  accessErrorOf,
  type Explanation,
  explainRule,
  firstStepUp,
  joined,
} from "../request/guard/access-rules.ts";
import { isPublic, pathRulesOver } from "../request/guard/guard.ts";
import { onSessionEnd } from "../ends/on-session-end.ts";
import { warnOfOtherHost } from "../request/other-host.ts";
import { toSession } from "../session/to-session.ts";
import { ExchangeAuth, type RequestAuth } from "./request-auth.ts";
import { closes, type PathRule } from "../config/access-rule.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import type { HostRequest } from "../http/auth-request.ts";
import {
  type HeaderList,
  noStoreHeaders,
  sessionCacheHeaders,
  withHeaders,
} from "../http/headers.ts";
import { homeTarget, parseTarget, type RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { errorResponse } from "../routes/error-response.ts";
import type { SessionData, StoredSession } from "../session/session.ts";
import { withClientLog } from "./client-log.ts";
import { respondByPages } from "./own-pages.ts";
import { leadOf, refuse, type Refused, signInFor } from "./refuse.ts";
import { createRouteTable, respondByRoute, type RouteTable } from "./route-table.ts";

/** The outcome for a request: a response of sign-in, or an admitted request. */
export type Received =
  | { readonly response: ResponseParts }
  | { readonly admitted: AdmittedRequest };

/** A request on its way to the application, as its host holds it. */
export interface AdmittedRequest {
  readonly auth: RequestAuth;
  readonly exchange: Exchange;
  /**
   * Whether the request carries a session, active or ended. It does not count as reading the
   * session.
   */
  carriesSession(): Promise<boolean>;
  /** Returns the headers which the response must carry. Call it once, when its head leaves. */
  commit(): HeaderList;
  /** Calls back when `auth` refuses, for hosts whose own error handling would answer first. */
  onRefused(listener: (error: unknown) => void): void;
  /**
   * Returns the location to which an error of ours leads a page, for hosts that
   * cannot wait for {@link recover}.
   */
  leadOf(error: unknown): string | null;
  /**
   * Calls back when the session of the request ends, elsewhere or by time. For open streams.
   *
   * @returns a function that removes the listener
   */
  onSessionEnd(listener: () => void): Promise<() => void>;
  /**
   * Returns our response to an error of ours which the application threw; `null` for other errors.
   */
  recover(error: unknown): Promise<ResponseParts> | null;
}

/** Sign-in as adapters use it. Apps use `auth.respond`, or an adapter. */
export interface Host {
  /**
   * Answers a request or admits it. Never throws.
   *
   * @param key - the object by which handlers find the request, for `auth.of`
   * @param toRequest - receives the origin of the base URL, on which every request is read
   * @param outer - the outer request, for internal sub-requests of the app
   */
  receive(
    key: object,
    toRequest: (origin: string) => HostRequest,
    outer?: AdmittedRequest,
  ): Promise<Received>;
  /**
   * Admits a request which the application handles already, without a guard.
   *
   * @throws {ConfigError} if the settings are wrong or the store cannot be opened
   */
  receiveUnguarded(
    toRequest: (origin: string) => HostRequest,
    outer?: AdmittedRequest,
  ): Promise<AdmittedRequest>;
  /** The admitted request, so that a host with sign-in mounted twice admits it once. */
  admittedOf(key: object): AdmittedRequest | undefined;
  /** Adds the session's headers to the application's response, or to a copy of an immutable one. */
  commit(admitted: AdmittedRequest, response: Response): Response;
  /** @throws {TypeError} if the request was not admitted */
  authOf(key: object): RequestAuth;
}

export interface HostOptions {
  /** Checks the settings and opens the store, once. */
  readonly open: () => Promise<Context>;
  /**
   * Makes the response if the settings or the store cannot be used.
   *
   * @param toRequest - see {@link Host.receive}
   */
  readonly onFault: (error: unknown, toRequest: (origin: string) => HostRequest) => ResponseParts;
}

export function createHost({ open, onFault }: HostOptions): Host {
  // A property of the request: a WeakMap would keep both until the next full garbage collection
  // (0025).
  const place = Symbol("admitted");
  type Placed = { [place]?: AdmittedRequest };
  const admittedOf = (key: object) => (key as Placed | undefined)?.[place];
  const before = Symbol("headers before");
  let opened: { readonly context: Context; readonly table: RouteTable } | undefined;

  async function openOnce() {
    const context = await open();
    return (opened ??= { context, table: createRouteTable(context) });
  }

  return {
    async receive(key, toRequest, outer) {
      try {
        const { context, table } = opened ?? (await openOnce());
        const request = toRequest(context.config.origin);
        const received = await receive(context, table, request, outer);
        if ("admitted" in received) (key as Placed)[place] = received.admitted;
        return received;
      } catch (error) {
        return { response: onFault(error, toRequest) };
      }
    },
    async receiveUnguarded(toRequest, outer) {
      const { context: shared } = opened ?? (await openOnce());
      const request = toRequest(shared.config.origin);
      const context = withClientLog(shared, request);
      const target = parseTarget(request.target) ?? homeTarget;
      return admitUnguarded(context, exchangeOf(context, request, outer), target);
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

/** Answers our own routes and refused requests, and admits the rest. */
async function receive(
  shared: Context,
  table: RouteTable,
  request: HostRequest,
  outer?: AdmittedRequest,
): Promise<Received> {
  const context = withClientLog(shared, request);
  const exchange = exchangeOf(context, request, outer);
  const target = parseTarget(request.target);
  if (target === null) {
    const refusal = new Refusal("target_malformed");
    return respondWith(exchange, errorResponse(context, exchange, "guard", refusal));
  }
  const response =
    respondByRoute(context, table, exchange, target) ?? respondByPages(context, exchange, target);
  if (response !== null) return respondWith(exchange, response);
  const targets = [target, ...(request.otherTargets ?? []).map(parseTarget)];
  const rules = rulesOver(context, targets);
  return isOpen(context, targets) && !rules.some(closes)
    ? { admitted: await admitUnguarded(context, exchange, target) }
    : admitSignedIn(context, { exchange, target, by: "guard" }, rules);
}

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
async function admitUnguarded(
  context: Context,
  exchange: Exchange,
  target: RequestTarget,
): Promise<AdmittedRequest> {
  await exchange.read().catch(() => undefined);
  return admit(context, exchange, target);
}

async function admitSignedIn(context: Context, refused: Refused, rules: Rules): Promise<Received> {
  const { exchange, target } = refused;
  const { config } = context;
  try {
    const result = await exchange.use();
    if (result.state !== "active") {
      // In production, health probes use the address of an instance.
      if (!config.production) warnOfOtherHost(context, exchange.request);
      const stepUp = firstStepUp(explainRules(context, rules, null));
      return respondWith(exchange, signInFor(context, refused, stepUp));
    }
    const refusal = refusalOf(context, rules, result.stored);
    const response = refusal && refuse(context, refused, refusal);
    if (response !== null) return respondWith(exchange, response);
    return { admitted: admit(context, exchange, target) };
  } catch (error) {
    return respondWith(exchange, errorResponse(context, exchange, "guard", error));
  }
}

/** Returns the error for what is unmet of all rules of a path, `null` if they are met. */
function refusalOf(context: Context, rules: Rules, stored: StoredSession) {
  return rules.length === 0 ? null : accessErrorOf(explainRules(context, rules, stored));
}

function explainRules(context: Context, rules: Rules, stored: StoredSession | null): Explanation {
  const session = stored && toSession(stored, context.config.session.lifetime);
  return joined(rules.map(({ rule }) => explainRule(context, stored, { rule, session })));
}

async function respondWith(
  exchange: Exchange,
  making: MaybePromise<ResponseParts>,
): Promise<Received> {
  return { response: await withSession(exchange, making) };
}

/** Adds the session's headers, and `Cache-Control` to a response of ours without one. */
async function withSession(
  exchange: Exchange,
  making: MaybePromise<ResponseParts>,
): Promise<ResponseParts> {
  const parts = await making;
  const committed = exchange.commit();
  const hasCacheControl = parts.headers.some(([name]) => name === "Cache-Control");
  const ofResponse = exchange.hasRead() ? sessionCacheHeaders : noStoreHeaders;
  const headers = committed.length > 0 || hasCacheControl ? committed : ofResponse;
  return { ...parts, headers: [...parts.headers, ...headers] };
}

function admit(context: Context, exchange: Exchange, target: RequestTarget): AdmittedRequest {
  let onRefused: (error: unknown) => void = () => undefined;
  return {
    exchange,
    auth: new ExchangeAuth(context, exchange, (error) => onRefused(error)),
    carriesSession: () =>
      exchange.read().then(
        ({ state }) => state !== "none",
        () => false,
      ),
    commit: () => exchange.commit(),
    onRefused: (listener) => void (onRefused = listener),
    onSessionEnd: (listener) => onSessionEnd(context, exchange, listener),
    leadOf: (error) => leadOf(context, { exchange, target }, error),
    recover(error) {
      const response = refuse(context, { exchange, target, by: "app" }, error);
      return response && withSession(exchange, response);
    },
  };
}
