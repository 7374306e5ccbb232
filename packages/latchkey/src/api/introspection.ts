import type { Context } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import { sha256 } from "../crypto/digest.ts";
import { isNumericDate, type JSONObject } from "../crypto/json-object.ts";
import { introspect, type IntrospectionCall } from "../oidc/introspection.ts";
import { createRecentMap } from "../recent-map.ts";
import {
  boundKeyOf,
  checkAudience,
  checkTimes,
  clientOf,
  otherKind,
  refuseOtherKinds,
  scopesOf,
  printValue,
  subjectOf,
  toleranceSeconds,
} from "./claims.ts";
import { type AccessToken, defaultAlgorithm } from "./jwt.ts";
import type { ApiOptions, IntrospectionOptions } from "./settings.ts";
import { invalidToken } from "./token-refused.ts";

/** Answers kept at once; the oldest are forgotten. */
const answersAtMost = 10_000;
/** Inactive tokens are kept apart and for a short time: any client can send any number of them. */
const inactive = { keepMs: 5000, atMost: 1000 };

/** The longest wait for the answer to another request with the same token, in milliseconds. */
const longestWaitMs = 800;
const lookEveryMs = 20;

/**
 * Creates the check of opaque tokens by the provider (RFC 7662). Answers count for some seconds,
 * and never longer than their token. Failures are not kept. Requests at once with one token
 * share one.
 *
 * @throws {TokenRefused} and, without a usable answer, {@link Refusal}
 */
export function createIntrospection(
  options: ApiOptions,
  introspection: IntrospectionOptions,
  context: Context,
): (token: string) => Promise<AccessToken> {
  const { clock, config, timing } = context;
  const { cacheSeconds = 30 } = introspection;
  const keepMs = cacheSeconds * 1000;
  const known = createRecentMap<JSONObject>({ clock, keepMs, atMost: answersAtMost });
  const refused = createRecentMap<true>({ clock, ...inactive });
  const call = callOf(introspection, context, options);
  const audience = [options.audience].flat();
  const asking = new Set<string>();

  async function answerOf(token: string): Promise<JSONObject> {
    const key = sha256(`${config.issuerBaseURL} ${token}`);
    const until = keepMs > 0 ? timing.monotonic() + longestWaitMs : 0;
    // In some runtimes a request may not wait for the promise of another one, so it looks again.
    while (asking.has(key) && timing.monotonic() < until) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await timing.wait(lookEveryMs);
    }
    const found = known.get(key);
    if (found !== undefined && !hasEnded(found, nowSeconds(context))) return found;
    if (refused.get(key) !== undefined) throw notActive();
    asking.add(key);
    try {
      return keep(key, await introspect(call, token));
    } finally {
      asking.delete(key);
    }
  }

  function keep(key: string, answer: JSONObject): JSONObject {
    if (answer["active"] === true) {
      known.set(key, answer);
      return answer;
    }
    refused.set(key, true);
    throw notActive();
  }

  return async (token) => {
    const now = nowSeconds(context);
    const claims = await answerOf(token);
    return readAnswer(claims, { audience, issuer: config.issuerBaseURL, now });
  };
}

function callOf(
  { endpoint, clientID, clientSecret, jwt = false }: IntrospectionOptions,
  { config, provider }: Context,
  { algorithms }: ApiOptions,
): IntrospectionCall {
  const { clientAssertionSigningKey: _key, clientAuthMethod: _method, ...rest } = config;
  const own = clientID === undefined ? config : { ...rest, clientID, clientSecret };
  const signedWith = jwt ? (algorithms ?? [defaultAlgorithm(config)]) : null;
  return { provider, endpoint, signedWith, config: own };
}

/** The tolerance is for the clock of the provider. It judges a new request by its own clock. */
function hasEnded({ exp }: JSONObject, now: number): boolean {
  return isNumericDate(exp) && exp <= now;
}

function notActive() {
  return invalidToken("The access token is not active.");
}

interface Expected {
  readonly audience: readonly string[];
  readonly issuer: string;
  readonly now: number;
}

/** An endpoint only says that a token of the provider is active: the rest is judged here. */
function readAnswer(claims: JSONObject, { audience, issuer, now }: Expected): AccessToken {
  const { exp, iss } = claims;
  checkTimes(exp === undefined ? { ...claims, exp: now + 1 } : claims, now);
  if (iss !== undefined && iss !== issuer) {
    throw invalidToken("The access token is of another issuer.", `iss ${printValue(iss)}`);
  }
  checkType(claims);
  refuseOtherKinds(claims);
  checkAudience(claims, audience);
  return {
    issuer,
    claims: { ...claims, sub: subjectOf(claims) },
    scopes: scopesOf(claims),
    client: clientOf(claims),
    expiresAt: isNumericDate(exp) ? exp : now + toleranceSeconds,
    boundKey: boundKeyOf(claims),
  };
}

/** A token that the provider calls bound is no bearer token if it leaves out the key. */
function checkType({ token_type: type, cnf }: JSONObject): void {
  if (type === undefined) return;
  const name = typeof type === "string" ? type.toLowerCase() : "";
  if (name === "bearer" || name === "access_token") return;
  if (name === "dpop" && cnf !== undefined) return;
  throw otherKind(`token_type ${printValue(type)}${name === "dpop" ? " without cnf" : ""}`);
}
