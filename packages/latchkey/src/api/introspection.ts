import type { Engine } from "../host/engine.ts";
import { nowSeconds } from "../config/runtime.ts";
import { sha256 } from "../crypto/digest.ts";
import { freezeDeep, isNumericDate, type JSONObject, withoutNulls } from "../crypto/json-object.ts";
import { elapsedMs, type Moment, momentOf } from "../time/deadline.ts";
import { Refusal } from "../errors/refusal.ts";
import { asClient } from "../oidc/connection.ts";
import { introspect, type IntrospectionCall } from "../oidc/introspection.ts";
import { publicKeyAlgorithm } from "../oidc/tokens/verify-signature.ts";
import { createRecentMap } from "../time/recent-map.ts";
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
import { createBudget } from "./introspection-budget.ts";
import type { AccessToken } from "./jwt.ts";
import type { ApiOptions, IntrospectionOptions } from "./settings.ts";
import { invalidToken } from "./token-refused.ts";

/** Active tokens are known for an hour; the oldest are forgotten. */
const active = { keepMs: 3_600_000, atMost: 10_000 };
/** Inactive tokens are kept apart and for a short time: any client can send any number of them. */
const inactive = { keepMs: 5000, atMost: 1000 };
/** So long after its time an answer counts while the provider is busy, in milliseconds. */
const whileBusyMs = 60_000;

/** The longest wait for the answer to another request with the same token, in milliseconds. */
const longestWaitMs = 800;
const lookEveryMs = 20;

/** An answer that calls a token active. */
interface Answer {
  readonly members: JSONObject;
  readonly since: Moment;
}

/**
 * Checks an opaque token.
 *
 * @param network - of its client: each network has its share of questions
 */
export type Introspection = (token: string, network: string) => Promise<AccessToken>;

/**
 * Creates the check of opaque tokens by the provider (RFC 7662). Answers count for some seconds,
 * one minute more while the provider is busy, and never longer than their token. Failures are not
 * kept. Requests at once with one token share one. Questions about unknown tokens are limited.
 *
 * @throws {TokenRefused} and, without a usable answer, {@link Refusal}
 */
export function createIntrospection(
  options: ApiOptions,
  introspection: IntrospectionOptions,
  engine: Engine,
): Introspection {
  const { connections, timing } = engine;
  const issuer = connections.default.issuer.name;
  const { cacheSeconds = 30 } = introspection;
  const keepMs = cacheSeconds * 1000;
  const longestMs = keepMs === 0 ? 0 : keepMs + whileBusyMs;
  const memory = createMemory(engine);
  const call = callOf(introspection, engine, options);
  const audience = [options.audience].flat();
  const budget = createBudget(engine);
  const asking = new Set<string>();

  async function answerOf(token: string, network: string): Promise<JSONObject> {
    const key = sha256(`${issuer} ${token}`);
    const until = keepMs > 0 ? timing.monotonic() + longestWaitMs : 0;
    // In some runtimes a request may not wait for the promise of another one, so it looks again.
    while (asking.has(key) && timing.monotonic() < until) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await timing.wait(lookEveryMs);
    }
    const found = memory.find(key, keepMs);
    if (found !== undefined) return found;
    const isPreferred = memory.wasActive(key);
    if (!isPreferred && !budget.take(network)) throw tooManyUnknown();
    asking.add(key);
    try {
      const members = memory.keep(key, await introspect(call, token, nowSeconds(engine)));
      if (!isPreferred) budget.giveBack(network);
      return members;
    } catch (error) {
      const last = isBusy(error) ? memory.find(key, longestMs) : undefined;
      if (last === undefined) throw error;
      return last;
    } finally {
      asking.delete(key);
    }
  }

  return async (token, network) => {
    const now = nowSeconds(engine);
    const answer = await answerOf(token, network);
    return freezeDeep(readAnswer(answer, { audience, issuer, now }));
  };
}

/** The last answers. Their tokens are asked about before those of strangers. */
function createMemory({ clock, timing }: Pick<Engine, "clock" | "timing">) {
  const clocks = { clock, timing };
  const known = createRecentMap<Answer | null>({ ...clocks, ...active });
  const refused = createRecentMap<true>({ ...clocks, ...inactive });
  return {
    wasActive: (key: string) => (known.get(key) ?? null) !== null,
    /** @throws {TokenRefused} for a token that was not active a moment ago */
    find(key: string, withinMs: number): JSONObject | undefined {
      if (refused.get(key) === true) throw notActive();
      const found = known.get(key) ?? null;
      if (found === null || hasEnded(found.members, nowSeconds({ clock }))) return undefined;
      return elapsedMs(found.since, clocks) < withinMs ? found.members : undefined;
    },
    /** @throws {TokenRefused} for a token that is not active */
    keep(key: string, members: JSONObject): JSONObject {
      if (members["active"] === true) {
        known.set(key, { members, since: momentOf(clocks) });
        return members;
      }
      refused.set(key, true);
      if (known.get(key) !== undefined) known.set(key, null);
      throw notActive();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Refusal && error.reason === "provider_busy";
}

function tooManyUnknown(): Refusal {
  const detail = "too many tokens that the provider does not call active";
  return new Refusal("provider_busy", { detail, retryAfterSeconds: 1 });
}

function callOf(
  { endpoint, clientID, clientSecret, jwt = false }: IntrospectionOptions,
  { connections }: Engine,
  { algorithms }: ApiOptions,
): IntrospectionCall {
  const connection =
    clientID === undefined
      ? connections.default
      : asClient(connections.default, { clientID, clientSecret });
  const signedWith = jwt ? (algorithms ?? [publicKeyAlgorithm(connection)]) : null;
  return { connection, endpoint, signedWith };
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
function readAnswer(answer: JSONObject, { audience, issuer, now }: Expected): AccessToken {
  refuseOtherKinds(answer);
  const claims = withoutNulls(answer);
  const { exp, iss } = claims;
  checkTimes(exp === undefined ? { ...claims, exp: now + 1 } : claims, now);
  if (iss !== undefined && iss !== issuer) {
    throw invalidToken("The access token is of another issuer.", `iss ${printValue(iss)}`);
  }
  checkType(claims);
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
