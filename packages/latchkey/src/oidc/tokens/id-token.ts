import { isNumericDate, kindOf } from "../../crypto/json-object.ts";
import { type Check, type CheckList, detailOf } from "../checks/check.ts";
import { quote } from "../client-call.ts";
import type { Connection } from "../connection.ts";
import { tenantCheck } from "../issuer/tenants.ts";
import {
  audienceCheck,
  type ClientFacts,
  describeMoment,
  describeTime,
  expiryCheck,
  isName,
  issuedAtCheck,
  issuerCheck,
  nameCheck,
  notBeforeCheck,
  readProviderToken,
  type TokenFacts,
  typeCheck,
} from "./token-claims.ts";
import { leftHalfHash } from "./token-hash.ts";
import { verifySignature } from "./verify-signature.ts";

/** The claims of a verified ID token. */
export interface IDTokenClaims {
  readonly iss: string;
  readonly sub: string;
  /** Epoch seconds, by the provider's clock; may have a fraction. */
  readonly iat: number;
  readonly [claim: string]: unknown;
}

/** What the token must agree with; absent members are not checked. */
export interface Expected {
  /** The nonce of the transaction; `null` for the token of a refresh, which has none. */
  readonly nonce: string | null;
  /** Seconds, 0 included. */
  readonly maxAge?: number | undefined;
  /** The code beside the token, which then must have `c_hash`. */
  readonly code?: string | undefined;
  /** The state beside the token: compared if the token has `s_hash`. */
  readonly state?: string | undefined;
  /** The access token beside the token: compared if the token has `at_hash`. */
  readonly accessToken?: string | undefined;
  /** Epoch seconds. */
  readonly now: number;
}

interface IDTokenFacts extends TokenFacts<"id_token"> {
  readonly expected: Expected;
}

const kind = "id_token";

/** A token may be this old when it arrives, in seconds. */
const oldestSeconds = 600;

/**
 * Verifies an ID token: its signature with the provider's key and the configured algorithm, then
 * every claim (OpenID Connect Core 3.1.3.7, 3.2.2.11, 3.3.2.12), in the order of the lists below.
 *
 * @throws {Refusal} the reason of the first failed check
 */
export async function verifyIDToken(
  connection: Connection,
  text: string | undefined,
  expected: Expected,
): Promise<IDTokenClaims> {
  const { check } = connection;
  const token = readProviderToken(kind, text, check);
  check(idTokenHeader, token);
  await verifySignature(connection, token);
  const { issuer } = await connection.issuer.metadata();
  const claims = token.payload;
  const time = { now: expected.now, clockTolerance: connection.clockTolerance };
  check(idTokenClaims, { token, claims, client: connection, issuer, expected, time });
  return claims as unknown as IDTokenClaims;
}

/** What is checked before the signature. */
export const idTokenHeader: CheckList<Pick<TokenFacts["token"], "header">> = {
  title: "ID token",
  kind,
  checks: [
    /** The type, if any, is JWT: other tokens are signed by the same keys (RFC 8725, 3.11). */
    typeCheck("JWT", /^(?:application\/)?jwt$/i),
  ],
};

/** The checks of the claims, in their order. */
export const idTokenClaims: CheckList<IDTokenFacts> = {
  title: "ID token",
  kind,
  checks: [
    /** The token is no logout token (Back-Channel Logout 1.0, 2.4). */
    {
      name: "events",
      reason: "token_malformed",
      holds: ({ claims }) => !("events" in claims),
      expected: () => "none",
      actual: ({ claims }) => claims["events"],
      refusal: ({ claims }) => ({
        detail: `it has events (${kindOf(claims["events"])}), as a logout token`,
      }),
    },
    issuerCheck,
    /** The subject is a text of 1 to 255 characters (OpenID Connect Core 2). */
    nameCheck("sub", "token_subject", 255),
    audienceCheck,
    /** Each audience beside this client is trusted (3.1.3.7, step 3). */
    {
      name: "aud",
      reason: "token_audience",
      applies: ({ claims }) => Array.isArray(claims["aud"]),
      holds: ({ claims: { aud }, client: { clientID, trustedAudiences } }) =>
        audiencesOf(aud).every(
          (each) => each === clientID || trustedAudiences.some((one) => one === each),
        ),
      expected: ({ client }) => [client.clientID, ...client.trustedAudiences].join(", "),
      actual: ({ claims }) => claims["aud"],
    },
    /** Under an HMAC secret there is no other audience, which could make such tokens (step 8). */
    {
      name: "aud",
      reason: "token_audience",
      applies: ({ client }) => client.idTokenSigningAlg.startsWith("HS"),
      holds: ({ claims, client }) => !hasOtherAudiences(claims["aud"], client),
      expected: ({ client }) => client.clientID,
      actual: ({ claims }) => claims["aud"],
      refusal: () => ({ detail: "several audiences share an HMAC secret" }),
    },
    /** With other audiences, `azp` is this client; without, it is if present (steps 4, 5). */
    {
      name: "azp",
      reason: "token_authorized_party",
      applies: ({ claims: { aud, azp }, client }) =>
        azp !== undefined || hasOtherAudiences(aud, client),
      holds: ({ claims, client }) => claims["azp"] === client.clientID,
      expected: ({ client }) => client.clientID,
      actual: ({ claims }) => claims["azp"],
    },
    expiryCheck,
    notBeforeCheck,
    issuedAtCheck(oldestSeconds),
    /** The nonce is that of the sign-in: the token was made for it (3.1.3.7, step 11). */
    {
      name: "nonce",
      reason: "token_nonce",
      applies: ({ expected }) => expected.nonce !== null,
      holds: ({ claims, expected }) => claims["nonce"] === expected.nonce,
      expected: ({ expected }) => expected.nonce ?? "",
      actual: ({ claims }) => claims["nonce"],
      isSecret: true,
      refusal: ({ claims: { nonce } }) => ({ detail: faultOfNonce(nonce) }),
    },
    /** The user has authenticated recently, if that was requested (3.1.3.7, step 13). */
    {
      name: "auth_time",
      reason: "token_auth_time",
      applies: ({ expected }) => expected.maxAge !== undefined,
      holds: ({ claims: { auth_time: at }, expected: { maxAge = 0 }, time }) =>
        isNumericDate(at) &&
        at - time.clockTolerance <= time.now &&
        at + maxAge + time.clockTolerance >= time.now,
      expected: ({ expected, time }) => `at most ${expected.maxAge} s before ${describeTime(time)}`,
      actual: ({ claims }) => describeMoment(claims["auth_time"]),
      refusal: ({ claims, expected }) => ({
        detail: detailOf(`max_age ${expected.maxAge}`, claims["auth_time"]),
      }),
    },
    /** The code beside the token is the one that it was made with (3.3.2.11). */
    hashCheck("c_hash", { valueOf: ({ code }) => code, isRequired: true }),
    /** The state beside the token is the one that it was made with, if it has its hash (FAPI 1). */
    hashCheck("s_hash", { valueOf: ({ state }) => state }),
    /** The access token beside the token is the one that it was made with, if it has its hash. */
    hashCheck("at_hash", { valueOf: ({ accessToken }) => accessToken }),
    // Last, because it is about a user whose token is good.
    tenantCheck,
  ],
};

function audiencesOf(aud: unknown): readonly unknown[] {
  return Array.isArray(aud) ? aud : [aud];
}

/** Returns whether a token is also for others than this client. */
function hasOtherAudiences(aud: unknown, { clientID }: Pick<ClientFacts, "clientID">): boolean {
  return Array.isArray(aud) && aud.some((each) => each !== clientID);
}

function faultOfNonce(nonce: unknown): string {
  if (nonce === undefined) return "the provider dropped the nonce";
  return isName(nonce) ? "another nonce" : `nonce is ${kindOf(nonce)}, not a text`;
}

interface Hashed {
  /** What came beside the token. */
  readonly valueOf: (expected: Expected) => string | undefined;
  /** Whether the token must have its hash. */
  readonly isRequired?: boolean;
}

/** A half hash of what came beside the token (OpenID Connect Core 3.1.3.6, 3.3.2.11). */
function hashCheck(name: string, { valueOf, isRequired = false }: Hashed): Check<IDTokenFacts> {
  const hashOf = ({ token, expected }: IDTokenFacts) =>
    leftHalfHash(valueOf(expected) ?? "", token.header.alg);
  return {
    name,
    reason: "token_hash",
    applies: ({ claims, expected }) =>
      valueOf(expected) !== undefined && (isRequired || claims[name] !== undefined),
    holds: (facts) => facts.claims[name] === hashOf(facts),
    expected: hashOf,
    actual: ({ claims }) => claims[name],
    refusal: ({ token, claims }) => ({
      detail: `${name}: ${faultOfHash(claims[name], token.header.alg)}`,
    }),
  };
}

function faultOfHash(claim: unknown, alg: string): string {
  const found = typeof claim === "string" && claim !== "" ? "another hash" : kindOf(claim);
  return `expected the hash under ${quote(alg)}, got ${found}`;
}
