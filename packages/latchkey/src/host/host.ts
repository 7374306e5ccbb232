import { appPath } from "../access/addresses.ts";
import { createExchange, type Exchange, innerExchange } from "../access/exchange.ts";
import { explainRule, joined, accessErrorOf } from "../access/guard/access-rules.ts";
import { isPublic, pathRulesOver, requireSignIn } from "../access/guard/guard.ts";
import { onSessionEnd } from "../access/ends/on-session-end.ts";
import { warnOfOtherHost } from "../access/other-host.ts";
import { ExchangeAuth, type RequestAuth, sessionOf } from "../access/request-auth.ts";
import { closes, type PathRule } from "../config/access-rule.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { type HeaderList, noStoreHeaders, withHeaders } from "../http/headers.ts";
import { homeTarget, parseTarget, type RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { errorResponse } from "../routes/error-response.ts";
import type { SessionData, StoredSession } from "../session/session.ts";
import { withClientLog } from "./client-log.ts";
import { leadOf, refuse, type Refused } from "./refuse.ts";
import { createRouteTable, respondByRoute, type RouteTable } from "./route-table.ts";

/** What becomes of a request: sign-in answers it, or it goes on to the application. */
export type Received =
  | { readonly response: ResponseParts }
  | { readonly admitted: AdmittedRequest };

/** A request that goes on to the application, as its host holds it. */
export interface AdmittedRequest {
  readonly auth: RequestAuth;
  readonly exchange: Exchange;
  /** Whether the request carries a session, be it active or ended; leaves the response as it is. */
  carriesSession(): Promise<boolean>;
  /** The headers that the response must carry. Call it once, when its head leaves. */
  commit(): HeaderList;
  /** Calls back when `auth` refuses: for hosts whose own error handling would answer before we could. */
  onRefused(listener: (error: unknown) => void): void;
  /** Where a page leads its person upon an error of ours: for hosts that cannot wait for {@link recover}. */
  leadOf(error: unknown): string | null;
  /**
   * Calls back when the session that the request carries has ended since, elsewhere or by its time: for streams, which
   * nothing else ends.
   *
   * @returns what forgets it
   */
  onSessionEnd(listener: () => void): Promise<() => void>;
  /** Our response to an error of ours that the application threw; `null` where the error is not ours. */
  recover(error: unknown): Promise<ResponseParts> | null;
}

/** What an adapter needs of sign-in. Apps use `auth.respond`, or an adapter. */
export interface Host {
  /**
   * Takes a request in; never throws.
   *
   * @param key - what handlers have of the request, for `auth.of`
   * @param toRequest - is given the origin of the base URL: whatever host the client named, requests are read there
   * @param outer - of the request in whose course the app makes this one to itself
   */
  receive(
    key: object,
    toRequest: (origin: string) => HostRequest,
    outer?: AdmittedRequest,
  ): Promise<Received>;
  /**
   * Admits a request that the application handles already: nothing answers or guards it.
   *
   * @throws {ConfigError} where sign-in cannot be used
   */
  receiveUnguarded(toRequest: (origin: string) => HostRequest): Promise<AdmittedRequest>;
  /** A request that was admitted before: a host that is mounted twice admits it once. */
  admittedOf(key: object): AdmittedRequest | undefined;
  /** The application's response with what the session adds to it; a copy where it must not be changed. */
  commit(admitted: AdmittedRequest, response: Response): Response;
  /** @throws {TypeError} where the request did not pass */
  authOf(key: object): RequestAuth;
}

export interface HostOptions {
  /** Checks the settings and opens the store, once. */
  readonly open: () => Promise<Context>;
  /** Told why the settings or the store cannot be used. */
  readonly onFault: (error: unknown) => ResponseParts;
}

export function createHost({ open, onFault }: HostOptions): Host {
  // A property of the request, not a WeakMap: that would keep both until the next full garbage
  // collection (docs/decisions/0025).
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
        return { response: onFault(error) };
      }
    },
    async receiveUnguarded(toRequest) {
      const { context: shared } = opened ?? (await openOnce());
      const request = toRequest(shared.config.origin);
      const context = withClientLog(shared, request);
      const target = parseTarget(request.target) ?? homeTarget;
      return admitAnybody(context, createExchange(context, request), target);
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

/** Answers our own routes and whatever may not go on; else hands over what the application needs. */
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
    return responded(exchange, errorResponse(context, exchange, "guard", refusal));
  }
  const response = respondByRoute(context, table, exchange, target);
  if (response !== null) return responded(exchange, response);
  // An earlier middleware may have rewritten the address: the rules of both count, and both must be public.
  const targets = [target, ...rewrittenTargets(request)];
  const rules = rulesOver(context, targets);
  const isOpen = targets.every((each) => each !== null && isPublic(context.config, each));
  const isErrorPage = request.errorPage === appPath(context.config, target.path);
  return (isOpen && !rules.some(closes)) || isErrorPage
    ? { admitted: await admitAnybody(context, exchange, target) }
    : passSignedIn(context, { exchange, target, by: "guard" }, rules);
}

function exchangeOf(context: Context, request: HostRequest, outer?: AdmittedRequest): Exchange {
  const cookieOf = ({ headers }: HostRequest) => headers.get("cookie");
  const isShared = outer !== undefined && cookieOf(outer.exchange.request) === cookieOf(request);
  return isShared ? innerExchange(outer.exchange, request) : createExchange(context, request);
}

type Rules = readonly PathRule<SessionData>[];

/** `null` for a target that cannot be read: nothing may be concluded from it. */
function rewrittenTargets({ rewrittenTarget }: HostRequest): readonly (RequestTarget | null)[] {
  return [rewrittenTarget ?? []].flat().map(parseTarget);
}

function rulesOver(
  { config, pathRules }: Context,
  targets: readonly (RequestTarget | null)[],
): Rules {
  if (pathRules.length === 0) return pathRules;
  const rules = targets.flatMap((each) =>
    each === null ? pathRules : pathRulesOver(config, pathRules, each),
  );
  return [...new Set(rules)];
}

/**
 * Admits a request that needs no session, or that the application handles already. A store that fails is no reason to close
 * a public page: whoever asks for the session is told.
 */
async function admitAnybody(
  context: Context,
  exchange: Exchange,
  target: RequestTarget,
): Promise<AdmittedRequest> {
  await exchange.read().catch(() => undefined);
  return admit(context, exchange, target);
}

async function passSignedIn(context: Context, refused: Refused, rules: Rules): Promise<Received> {
  const { exchange, target } = refused;
  const { config } = context;
  try {
    const result = await exchange.use();
    if (result.state !== "active") {
      // In production probes ask by the address of an instance.
      if (!config.production) warnOfOtherHost(context, exchange.request);
      return responded(exchange, requireSignIn(config, exchange.request, target));
    }
    const refusal = refusalBy(context, rules, result.stored);
    const response = refusal && refuse(context, refused, refusal);
    if (response !== null) return responded(exchange, response);
    return { admitted: admit(context, exchange, target) };
  } catch (error) {
    return responded(exchange, errorResponse(context, exchange, "guard", error));
  }
}

/** Why the rules of a path let a person not pass; every one of them counts. */
function refusalBy(context: Context, rules: Rules, stored: StoredSession) {
  if (rules.length === 0) return null;
  const session = sessionOf(context, stored);
  return accessErrorOf(
    joined(rules.map(({ rule }) => explainRule(context, stored, { rule, session }))),
  );
}

async function responded(
  exchange: Exchange,
  making: MaybePromise<ResponseParts>,
): Promise<Received> {
  return { response: await withSession(exchange, making) };
}

/** Every response of ours says whether a cache may keep it, and carries what became of the session. */
async function withSession(
  exchange: Exchange,
  making: MaybePromise<ResponseParts>,
): Promise<ResponseParts> {
  const parts = await making;
  const committed = exchange.commit();
  const isTold = parts.headers.some(([name]) => name === "Cache-Control");
  const headers = committed.length > 0 || isTold ? committed : noStoreHeaders;
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
