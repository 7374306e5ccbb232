import type { Config } from "../../config/config.ts";
import type { AccessTokenError } from "../../errors/access-token-error.ts";
import type { Challenge, ChallengeParameters } from "../../http/challenge.ts";
import { notAuthenticatedJSON, unauthorized } from "../../http/error-json.ts";
import { isNoNavigation, isPrefetch, isRead } from "../../http/fetch-metadata.ts";
import type { RequestTarget } from "../../http/request-target.ts";
import { leadOn } from "../../http/lead-on.ts";
import type { ResponseParts } from "../../http/response-parts.ts";
import type { SessionResult } from "../../session/read-session.ts";
import { chooserURL, loginURL } from "../../config/addresses.ts";
import { isAPI } from "./guarded-paths.ts";
import { type GuardedRequest, shownAddress } from "./page-address.ts";

/** The response to an API request without a session (specification, section 8). */
export function notAuthenticated(config: Config): ResponseParts {
  return unauthorized(notAuthenticatedJSON, sessionChallenge(config));
}

/** The challenge to a request without a token, which only a session can help. */
export function sessionChallenge(
  { baseURL }: Pick<Config, "baseURL">,
  parameters: ChallengeParameters = {},
): Challenge {
  return { scheme: "Cookie", parameters: { realm: baseURL, ...parameters } };
}

/** The response to a script whose session brings no access token any more. */
export function accessTokenEnded(config: Config, { code }: AccessTokenError): ResponseParts {
  const description = "There is no valid access token for the user, who has to sign in again.";
  return unauthorized({ error: code, description }, sessionChallenge(config));
}

export interface SignInResponse {
  /** The connection of the sign-in; see `Connection.named`. */
  readonly connection?: string | undefined;
  /** What the sign-in must prove, sealed. */
  readonly stepUp?: string | undefined;
  /** Present if the user chooses how to sign in; see {@link lostWay}. */
  readonly choice?: ReturnType<typeof lostWay>;
  /** The response to requests that no redirect helps; by default `not_authenticated`. */
  readonly otherwise?: ((config: Config) => ResponseParts) | undefined;
}

/**
 * Answers a request without the session it needs: 401 for an API path and for other requests than
 * navigations, else the way to login and back.
 */
export function requireSignIn(
  config: Config,
  request: GuardedRequest,
  target: RequestTarget,
  { otherwise = notAuthenticated, ...wanted }: SignInResponse = {},
): ResponseParts {
  if (!wantsPage(config, request, target)) return otherwise(config);
  return leadTo(signInAddress(config, wanted, shownAddress(config, request, target)), request);
}

/** How the user has lost the former way to sign in, and is not sent there again. */
export function lostWay(result: SessionResult): "ended" | "removed" | undefined {
  if (result.state === "none") return result.isRemoved === true ? "removed" : undefined;
  return result.state === "ended" && result.isWithConnection === true ? "ended" : undefined;
}

/** The address at which a sign-in begins, or the user chooses one. */
export function signInAddress(
  config: Config,
  { connection, stepUp, choice }: Omit<SignInResponse, "otherwise">,
  returnTo: string,
): string {
  if (choice === undefined) return loginURL(config, { connection, returnTo, stepUp });
  const notice = choice === "removed" ? [["notice", choice] as const] : [];
  const proof = stepUp === undefined ? [] : [["stepUp", stepUp] as const];
  return chooserURL(config, [...notice, ["returnTo", returnTo], ...proof]);
}

/** Whether a person opens a page: nothing else can follow a redirect to the provider. */
export function wantsPage(config: Config, request: GuardedRequest, target: RequestTarget): boolean {
  const { page, lead } = request.pageClient ?? {};
  if (page !== undefined) return true;
  // An answer with the address of login starts no sign-in, also for prefetches.
  return !isAPI(config, target) && (lead !== undefined || isForPage(request));
}

/**
 * For a script, an image or a prefetch a redirect to the provider would be of no use, and start a
 * login.
 */
export function isForPage(request: GuardedRequest): boolean {
  const isNavigation = request.pageClient !== undefined || !isNoNavigation(request);
  return isNavigation && !isPrefetch(request);
}

/** A redirect, as the client of a request understands it. */
export function leadTo(location: string, request: GuardedRequest): ResponseParts {
  const { lead } = request.pageClient ?? {};
  return lead?.(location, isRead(request) ? 302 : 303) ?? leadOn(request, location);
}
