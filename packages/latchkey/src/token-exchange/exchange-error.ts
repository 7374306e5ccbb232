import { AccessTokenError, type AccessTokenErrorOptions } from "../errors/access-token-error.ts";
import type { AccessTokenErrorCode } from "../errors/latchkey-error.ts";
import { Refusal } from "../errors/refusal.ts";
import { oauthErrorOf } from "../oidc/exchange-fault.ts";
import { isOutage } from "../oidc/issuer/outages/circuit-breaker.ts";
import { type ExchangeTarget, SubjectRefused } from "../oidc/token-exchange.ts";

/** What to check for each error of a provider. A map, because an object inherits members. */
const remedies: ReadonlyMap<string, string> = new Map([
  ["invalid_target", "It must know this audience or resource, and this client may request it."],
  ["invalid_scope", "The API must have these scopes, and this client may request them."],
  ["unauthorized_client", "Allow token exchange for this client there."],
  ["unsupported_grant_type", "Allow token exchange there, or set another form in tokenExchange()."],
  [
    "invalid_request",
    "Check the form in tokenExchange(), and that this client may exchange tokens.",
  ],
  ["invalid_client", "Check LATCHKEY_CLIENT_ID and LATCHKEY_CLIENT_SECRET."],
]);

const interactionErrors: readonly string[] = [
  "interaction_required",
  "consent_required",
  "login_required",
];

/** The caller may try again after these seconds. */
const retryAfterSeconds = 1;

/** Makes the error of a failed exchange. Only a refused subject token means another sign-in. */
export function exchangeErrorOf(fault: unknown, target: ExchangeTarget): Error {
  const response = oauthErrorOf(fault);
  if (response?.error === "invalid_grant")
    return new SubjectRefused("invalid_grant", { cause: fault });
  if (response !== null && interactionErrors.includes(response.error)) {
    return new AccessTokenError(
      "ERR_INTERACTION_REQUIRED",
      `The provider requires the user to sign in again before it gives a token for ${nameOf(target)}.`,
      { cause: fault, claims: response.claims },
    );
  }
  const why = response === null ? reasonOf(fault) : response.error;
  const remedy = remedies.get(why);
  const code = why === "invalid_target" ? "ERR_INVALID_TARGET" : "ERR_TOKEN_EXCHANGE";
  return exchangeFailed(target, remedy === undefined ? why : `${why}. ${remedy}`, {
    code,
    cause: fault,
    ...(isOutage(fault) ? { retryAfterSeconds } : {}),
  });
}

interface FailureOptions extends AccessTokenErrorOptions {
  readonly code?: AccessTokenErrorCode;
}

/** @param why - without a secret */
export function exchangeFailed(
  target: ExchangeTarget,
  why: string,
  { code = "ERR_TOKEN_EXCHANGE", ...options }: FailureOptions = {},
): AccessTokenError {
  const message = `The token exchange for ${nameOf(target)} failed at the provider: ${why}`;
  return new AccessTokenError(code, message, options);
}

function reasonOf(fault: unknown): string {
  return fault instanceof Refusal ? (fault.detail ?? fault.reason) : "internal";
}

function nameOf({ audience, resource, scopes = [] }: ExchangeTarget): string {
  return audience ?? resource ?? (scopes.length === 0 ? "another API" : scopes.join(" "));
}
