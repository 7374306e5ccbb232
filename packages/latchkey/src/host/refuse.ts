import { loginURL } from "../config/addresses.ts";
import {
  accessTokenEnded,
  isForPage,
  leadTo,
  lostWay,
  notAuthenticated,
  requireSignIn,
  signInAddress,
  type SignInResponse,
  wantsPage,
} from "../request/guard/require-sign-in.ts";
import { pageURL, shownAddress } from "../request/guard/page-address.ts";
import { explainRefusal } from "../principal/explain-refusal.ts";
import { principalOfSession } from "../principal/principal.ts";
import { checkProofReached, proofMissing } from "../request/guard/missing-proof.ts";
import { refusedURL } from "../request/guard/refused-url.ts";
import { requireStepUp, stepUpURL } from "../request/guard/require-step-up.ts";
import { wantsOfflineAccess } from "../config/config.ts";
import type { Context } from "../context.ts";
import {
  Forbidden,
  SignInRequired,
  type StepUp,
  StepUpRequired,
  type WantedLogin,
} from "../errors/access-errors.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { isRefusal, isTemporary, Refusal, type TemporaryError } from "../errors/refusal.ts";
import type { Connections } from "../oidc/connections.ts";
import type { Exchange } from "../request/exchange.ts";
import { isRead } from "../http/fetch-metadata.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import { errorResponse } from "../routes/error-response.ts";
import { type DemandedOffer, mayBeAtHost, requiredAt } from "../routes/offered-here.ts";
import type { Call, Scheme } from "./scheme.ts";
import { activeSession, foundSession, type SessionResult } from "../session/read-session.ts";

/** A request that counts by its session. */
export interface SessionCall extends Pick<Call, "context" | "exchange" | "target"> {
  /** The schemes that have passed it on. */
  readonly others: readonly Scheme[];
}

interface RefusedCall extends SessionCall {
  /** What refuses it: sign-in itself, or a handler of the app. */
  readonly by: "guard" | "app";
}

/** Whether an error is one of ours, for which the app has no response of its own. */
export function isOurError(error: unknown): boolean {
  return isLogin(error) || needsSignIn(error) || error instanceof Forbidden;
}

/** Returns the response to an error of ours, `null` for any other error. */
export function refuse(call: RefusedCall, error: unknown): Promise<ResponseParts> | null {
  const { context, exchange, target, by } = call;
  const fail = (cause: unknown) => errorResponse(context, exchange, by, cause);
  if (isLogin(error)) return Promise.resolve(loginFor(call, error.login));
  if (needsSignIn(error)) return signInOrLater(call, stepUpIn(error)).catch(fail);
  if (hasEndedToken(error)) return Promise.resolve(signInAgain(call, error));
  if (error instanceof StepUpRequired) {
    return requireStepUp(context, { exchange, target }, error).catch(fail);
  }
  if (error instanceof Forbidden) return signInElsewhere(call, error).catch(fail);
  if (isTemporary(error)) return fail(refreshUnavailable(call, error));
  // In a handler the store does not reply, `login()` cannot begin, or the app wants our page.
  return isRefusal(error, ...refusalsOfHandlers) ? fail(error) : null;
}

const refusalsOfHandlers = [
  "store_unavailable",
  "parameter_invalid",
  "not_found",
  "internal",
] as const;

type LoginError = SignInRequired & { readonly login: WantedLogin };

/** Whether a handler has begun a sign-in. */
function isLogin(error: unknown): error is LoginError {
  return error instanceof SignInRequired && error.login !== undefined;
}

/** Returns the response to a handler that begins a sign-in. */
function loginFor(
  { context, exchange: { request } }: SessionCall,
  login: WantedLogin,
): ResponseParts {
  if (!isForPage(request)) return notAuthenticated(context.config);
  return leadTo(loginAddress(context, login), request);
}

function loginAddress(
  { config, signIns }: Context,
  { connection, returnTo, shared, params }: WantedLogin,
): string {
  const isPlain = Object.keys(params).length === 0;
  return loginURL(config, {
    connection,
    returnTo,
    shared: shared === true ? "1" : undefined,
    params: isPlain ? undefined : signIns.loginSeal.seal({ params }),
  });
}

async function signInOrLater(
  call: SessionCall,
  stepUp: StepUp | undefined,
): Promise<ResponseParts> {
  const result = await call.exchange.read().catch(() => noSession);
  return signInFor(call, result, stepUp);
}

const noSession: SessionResult = { state: "none" };

/**
 * Returns the response to a request without a session: a redirect to a sufficient sign-in.
 *
 * @throws {Refusal} `device_proof_missing` during an outage
 */
export function signInFor(
  call: SessionCall,
  result: SessionResult,
  stepUp: StepUp | undefined,
): ResponseParts {
  const { context, exchange, target, others } = call;
  const { config } = context;
  for (const scheme of others) {
    const challenged = scheme.challenge(call);
    if (challenged !== null) return challenged;
  }
  checkProofReached(exchange.request, result, shownAddress(config, exchange.request, target));
  return requireSignIn(config, exchange.request, target, {
    ...sufficientSignIn(context, result, stepUp),
    otherwise: result.state === "unproved" ? proofMissing : undefined,
  });
}

/**
 * Returns the sign-in that is sufficient: with the connection of a session that has ended, or with
 * the one that a rule requires. Of several, the user chooses.
 */
function sufficientSignIn(
  offer: DemandedOffer,
  result: SessionResult,
  stepUp: StepUp | undefined,
): SignInResponse {
  const { connections, signIns } = offer;
  const ended = foundSession(result);
  const own = ended === null ? null : connections.ofSession(ended.header);
  const sealed = stepUp && signIns.loginSeal.seal({ stepUp });
  const { connections: required, ...others } = stepUp ?? {};
  if (required === undefined) {
    const choice = connections.default.named === undefined ? undefined : lostWay(result);
    return { connection: own?.named, stepUp: sealed, choice };
  }
  const [only, ...more] = required.filter((id) => mayBeAtHost(offer, id));
  const isOwn = own !== null && required.includes(own.id);
  const connection = isOwn ? own.id : only;
  if (connection === undefined || (more.length > 0 && !isOwn)) return { stepUp: sealed };
  const isMore = others.maxAge !== undefined || others.acr !== undefined;
  return {
    connection: connections.default.named === undefined ? undefined : connection,
    stepUp: isMore ? signIns.loginSeal.seal({ stepUp: others }) : undefined,
  };
}

/** Returns the response to a request that needs an access token which only a new sign-in brings. */
function signInAgain(
  { context, exchange, target }: SessionCall,
  error: AccessTokenError,
): ResponseParts {
  const { config, warnings } = context;
  const hasEnded = error.code !== "ERR_MISSING_ACCESS_TOKEN";
  if (hasEnded && !wantsOfflineAccess(config)) {
    warnings.once("no-offline-access", withoutOfflineAccess);
  }
  return requireSignIn(config, exchange.request, target, {
    connection: connectionOf(context.connections, exchange),
    otherwise: () => accessTokenEnded(config, error),
  });
}

/** The page of such an error leads to a sign-in with the same connection, and back. */
function refreshUnavailable(
  { context: { config, connections }, exchange, target }: SessionCall,
  cause: TemporaryError,
): Refusal {
  const { retryAfterSeconds } = cause;
  const connection = connectionOf(connections, exchange);
  const returnTo = shownAddress(config, exchange.request, target);
  return new Refusal("refresh_unavailable", { cause, retryAfterSeconds, connection, returnTo });
}

/** Names the connection of a session that has ended, or of which more is required. */
function connectionOf(connections: Connections, exchange: Exchange): string | undefined {
  const stored = foundSession(sessionOf(exchange));
  return stored === null ? undefined : connections.ofSession(stored.header).named;
}

const withoutOfflineAccess =
  "An access token has ended and could not be refreshed, so its user signs in again. LATCHKEY_SCOPE has no offline_access: add it, for most providers give a refresh token only then.";

function stepUpIn(error: unknown): StepUp | undefined {
  return error instanceof SignInRequired || error instanceof StepUpRequired
    ? error.stepUp
    : undefined;
}

/** Leads a browser to a sign-in with the connection of a rule, if there is one for this host. */
async function signInElsewhere(call: RefusedCall, error: Forbidden): Promise<ResponseParts> {
  const { context, exchange, target } = call;
  const { config, signIns } = context;
  const { request } = exchange;
  const { stepUp } = error;
  const ways = await requiredAt(context, stepUp?.connections);
  if (stepUp === undefined || ways.length === 0 || !wantsPage(config, request, target)) {
    return refuseForbidden(call, error);
  }
  if (isRead(request) || request.pageClient !== undefined) {
    return requireSignIn(config, request, target, sufficientSignIn(context, noSession, stepUp));
  }
  const returnTo = shownAddress(config, request, target);
  throw new Refusal("form_not_sent", { returnTo, stepUp: signIns.loginSeal.seal({ stepUp }) });
}

async function refuseForbidden(
  { context, exchange, target, by }: RefusedCall,
  error: Forbidden,
): Promise<ResponseParts> {
  const { config } = context;
  const { request } = exchange;
  const { pageClient } = request;
  if (pageClient?.leavesForRefusals === true) {
    return leadTo(refusedURL(context, request, target, error), request);
  }
  if (pageClient?.loadsDocument === true && isRead(request)) {
    return leadTo(pageURL(config, target), request);
  }
  const { unmet } = error;
  const returnTo = shownAddress(config, request, target);
  const stored = activeSession(await exchange.read().catch(() => null));
  const detail =
    unmet.length === 0
      ? undefined
      : explainRefusal(unmet, stored && principalOfSession(stored, context));
  const refusal = new Refusal("forbidden", { cause: error, detail, unmet, returnTo });
  return errorResponse(context, exchange, by, refusal);
}

function needsSignIn(error: unknown): boolean {
  return (
    error instanceof SignInRequired ||
    (error instanceof AccessTokenError && error.code === "ERR_MISSING_SESSION")
  );
}

/** Whether the user has a session, and only a new sign-in brings an access token. */
function hasEndedToken(error: unknown): error is AccessTokenError {
  return error instanceof AccessTokenError && error.needsSignIn && !needsSignIn(error);
}

/**
 * Returns if a response may be the error page which the host has made of an error of ours. An app
 * that catches the error of an access token may respond as it likes: the pages of hosts have the
 * status 500.
 */
export function mayBeErrorPage(status: number, error: unknown): boolean {
  return hasEndedToken(error) ? status === 500 : status >= 400;
}

/**
 * Returns the location to which an error of ours leads a page; `null` for other errors and other
 * requests.
 */
export function leadOf({ context, exchange, target }: SessionCall, error: unknown): string | null {
  const { config, signIns } = context;
  const { request } = exchange;
  if (isLogin(error)) return isForPage(request) ? loginAddress(context, error.login) : null;
  // Without parameters the user can at least sign in; a host would show an error of its own.
  if (isRefusal(error, "parameter_invalid")) return isForPage(request) ? loginURL(config) : null;
  if (!wantsPage(config, request, target)) return null;
  if (error instanceof Forbidden) {
    const { stepUp } = error;
    const isPossible = stepUp?.connections?.some((id) => mayBeAtHost(context, id)) === true;
    if (!isPossible) return refusedURL(context, request, target, error);
    const returnTo = shownAddress(config, request, target);
    return signInAddress(config, sufficientSignIn(context, noSession, stepUp), returnTo);
  }
  const isForUser = needsSignIn(error) || hasEndedToken(error) || error instanceof StepUpRequired;
  if (!isForUser) return null;
  const returnTo = shownAddress(config, request, target);
  if (error instanceof StepUpRequired) {
    const { stepUp } = error;
    return stepUpURL(context, stepUp, { returnTo, stepUp: signIns.loginSeal.seal({ stepUp }) });
  }
  return signInAddress(
    config,
    sufficientSignIn(context, sessionOf(exchange), stepUpIn(error)),
    returnTo,
  );
}

/** What the session of a request was found to be, as far as it is known. */
function sessionOf(exchange: Exchange): SessionResult {
  try {
    return exchange.current() ?? noSession;
  } catch {
    return noSession;
  }
}
