import type { Config } from "../config/config.ts";
import { Forbidden, sentenceOf, SignInRequired, StepUpRequired } from "../errors/access-errors.ts";
import { isTemporary, Refusal } from "../errors/refusal.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { type Challenge, challengeHeaders, type ChallengeParameters } from "../http/challenge.ts";
import { type ErrorJSON, errorJSON, notAuthenticatedJSON } from "../http/error-json.ts";
import type { HeaderList } from "../http/headers.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import { sessionChallenge } from "../request/guard/require-sign-in.ts";
import { crossOriginHeaders } from "./cross-origin.ts";
import { SessionRequired, TokenRefused } from "./token-refused.ts";

/** How an API refuses. */
export interface Refusing {
  readonly config: Config;
  /** Origins whose scripts may read the response. */
  readonly origins: readonly string[];
  /** Algorithms of DPoP proofs; `null` if no proof counts. */
  readonly proofAlgorithms: readonly string[] | null;
  /** Parameters of every `Bearer` challenge, such as `resource_metadata` (RFC 9728, 5.1). */
  readonly parameters?: ChallengeParameters | undefined;
}

/** A caller lacks scopes that the operation needs. */
export class InsufficientScope extends Forbidden {
  /** All scopes of the operation. */
  readonly scopes: readonly string[];

  constructor({ unmet }: Pick<Forbidden, "unmet">, scopes: readonly string[]) {
    super(unmet);
    this.scopes = scopes;
  }
}

/**
 * Returns the response to an error of ours (RFC 6750, 3.1; RFC 9449, 7.1; RFC 9470, 3); `null` for
 * any other error.
 */
export function refuseCaller(
  refusing: Refusing,
  request: HostRequest,
  error: unknown,
): ResponseParts | null {
  const answer = answerTo(refusing, error);
  if (answer === null) return null;
  const { body, status, headers } = answer;
  const own: HeaderList = [
    ["Cache-Control", "no-store"],
    ["Vary", varyByCaller],
  ];
  return errorJSON(body, status, [...headers, ...own, ...sharedHeaders(refusing, request)]);
}

/**
 * Returns the 401 to a request without credentials: it names no error. The host adds what a
 * response to a session carries.
 */
export function challengeCaller(refusing: Refusing, request: HostRequest): ResponseParts {
  const challenges = [...tokenChallenges(refusing), sessionChallenge(refusing.config)];
  const vary: HeaderList = [["Vary", "Authorization"]];
  const shared = sharedHeaders(refusing, request);
  return errorJSON(notAuthenticatedJSON, 401, [
    ...challengeHeaders(...challenges),
    ...vary,
    ...shared,
  ]);
}

interface Answer {
  readonly body: ErrorJSON;
  readonly status: number;
  readonly headers: HeaderList;
}

function answerTo(refusing: Refusing, error: unknown): Answer | null {
  if (error instanceof TokenRefused) return invalidToken(refusing, error);
  if (error instanceof InsufficientScope) return insufficientScope(refusing, error);
  if (error instanceof StepUpRequired) return insufficientAuthentication(refusing, error);
  if (error instanceof Forbidden) return forbidden(error);
  if (error instanceof SessionRequired) return sessionRequired(error);
  if (error instanceof SignInRequired) return noCredentials(refusing);
  if (error instanceof Refusal || isTemporary(error)) return unavailable(error.retryAfterSeconds);
  return null;
}

function invalidToken(refusing: Refusing, refused: TokenRefused): Answer {
  const { error, message, status } = refused;
  const parameters = { error, error_description: message };
  const isAboutProof = error === "invalid_dpop_proof" || error === "use_dpop_nonce";
  const challenges = isAboutProof
    ? [proofChallenge(refusing.proofAlgorithms ?? [], parameters)]
    : tokenChallenges(refusing, parameters);
  const headers = [...challengeHeaders(...challenges), ...refused.headers];
  return { body: { error, description: message }, status, headers };
}

function insufficientScope(refusing: Refusing, { unmet, scopes }: InsufficientScope): Answer {
  const scope = scopes.join(" ");
  const error = "insufficient_scope";
  const headers = challengeHeaders(...tokenChallenges(refusing, { error, scope }));
  const description = unmet.map(sentenceOf).join(" ");
  return { body: { error, description, scope, unmet }, status: 403, headers };
}

function insufficientAuthentication(
  refusing: Refusing,
  { message: description, stepUp: { acr, maxAge } }: StepUpRequired,
): Answer {
  const error = "insufficient_user_authentication";
  const demands = { acr_values: acr?.join(" "), max_age: maxAge };
  const parameters = { error, error_description: description, ...demands };
  const headers = challengeHeaders(...tokenChallenges(refusing, parameters));
  return { body: { error, description, ...demands }, status: 401, headers };
}

/** No error of RFC 6750 says this. */
function forbidden({ unmet, ...error }: Forbidden): Answer {
  const description = ["The caller may not do this.", ...unmet.map(sentenceOf)].join(" ");
  const body = { error: error.code, description, ...(unmet.length === 0 ? {} : { unmet }) };
  return { body, status: 403, headers: [] };
}

function sessionRequired({ code, message }: SessionRequired): Answer {
  return { body: { error: code, description: message }, status: 403, headers: [] };
}

function noCredentials(refusing: Refusing): Answer {
  const headers = challengeHeaders(...tokenChallenges(refusing));
  return { body: notAuthenticatedJSON, status: 401, headers };
}

/** The token may be good: no challenge, and the client tries again. */
function unavailable(retryAfterSeconds = 5): Answer {
  const description = "The access token cannot be checked now.";
  const headers: HeaderList = [["Retry-After", String(retryAfterSeconds)]];
  return { body: { error: "temporarily_unavailable", description }, status: 503, headers };
}

/** `Bearer` first: some clients read no other (RFC 9449, 7.1). */
function tokenChallenges(
  { config, parameters = {}, proofAlgorithms }: Refusing,
  error: ChallengeParameters = {},
): readonly Challenge[] {
  const { scope = parameters["scope"], ...others } = error;
  const bearer = { realm: config.baseURL, ...others, scope, ...withoutScope(parameters) };
  return [
    { scheme: "Bearer", parameters: bearer },
    ...(proofAlgorithms === null ? [] : [proofChallenge(proofAlgorithms)]),
  ];
}

function withoutScope({ scope: _scope, ...others }: ChallengeParameters): ChallengeParameters {
  return others;
}

function proofChallenge(
  algorithms: readonly string[],
  parameters: ChallengeParameters = {},
): Challenge {
  return { scheme: "DPoP", parameters: { ...parameters, algs: algorithms.join(" ") } };
}

/** Scripts of other origins see a challenge only if it is exposed. */
function sharedHeaders({ origins }: Refusing, request: HostRequest): HeaderList {
  return [
    ["Access-Control-Expose-Headers", "WWW-Authenticate, DPoP-Nonce, Retry-After"],
    ...crossOriginHeaders(origins, request),
  ];
}

/** What a response to a caller depends on. */
export const varyByCaller = "Authorization, Cookie";
