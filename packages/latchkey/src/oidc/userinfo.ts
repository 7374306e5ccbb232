import type { JSONObject } from "../crypto/json-object.ts";
import { Refusal } from "../errors/refusal.ts";
import { mediaTypeOf } from "../http/media-type.ts";
import { quote, refusalOfCall } from "./client-call.ts";
import type { CheckList } from "./checks/check.ts";
import type { Connection } from "./connection.ts";
import { checkNoError } from "./error-answer.ts";
import { optionalText, readDocument } from "./issuer/provider-document.ts";
import { assertOK, type ProviderResponse } from "./issuer/provider-fetch.ts";
import {
  audienceCheck,
  expiryCheck,
  issuerCheck,
  notBeforeCheck,
  readProviderToken,
  type TokenFacts,
} from "./tokens/token-claims.ts";
import { verifySignature } from "./tokens/verify-signature.ts";

export interface UserinfoRequest {
  readonly accessToken: string;
  /** The expected `sub` of the response (5.3.2). */
  readonly subject: string;
  /** Epoch seconds. */
  readonly now: number;
}

/** The provider rejects the access token, for example after it was revoked (RFC 6750, 3.1). */
export class RejectedTokenRefusal extends Refusal {}

/**
 * Requests the claims of a user from the userinfo endpoint (OpenID Connect Core 5.3). Nulls are
 * left out; distributed claims are not fetched.
 *
 * @throws {RejectedTokenRefusal} `userinfo_invalid` with the status 401
 * @throws {Refusal} `userinfo_invalid`, `userinfo_subject`, `token_…`, or the error of the
 *   call
 */
export async function fetchUserinfo(
  connection: Connection,
  { accessToken, subject, now }: UserinfoRequest,
): Promise<JSONObject> {
  const response = await requestUserinfo(connection, accessToken);
  if (response.status === 401) {
    throw new RejectedTokenRefusal("userinfo_invalid", { detail: "userinfo responded with 401" });
  }
  assertOK(response, "userinfo_invalid", "userinfo");
  const claims = await readClaims(response, { connection, now });
  checkIsAnswer(claims, response);
  connection.check(userinfoSubject, { claims, subject });
  return connection.issuer.readMembers("userinfo", claims, optionalClaims);
}

/**
 * The claims that apps show as text (OpenID Connect Core 5.1). Those with a meaning for access,
 * such as `email_verified`, stay as they came: absent could mean more than a value that says no.
 */
const optionalClaims = Object.fromEntries(
  [
    "name",
    "given_name",
    "family_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "email",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
    "phone_number",
  ].map((name) => [name, optionalText]),
);

function checkIsAnswer(claims: JSONObject, response: ProviderResponse): void {
  try {
    checkNoError(claims, ["sub"], response);
  } catch (error) {
    const { detail } = refusalOfCall(error, "userinfo_invalid", "userinfo request");
    throw new Refusal("userinfo_invalid", { cause: error, detail });
  }
}

interface Reading extends Pick<UserinfoRequest, "now"> {
  readonly connection: Connection;
}

async function requestUserinfo(
  connection: Connection,
  accessToken: string,
): Promise<ProviderResponse> {
  const { userinfo_endpoint: address } = await connection.issuer.metadata();
  if (address === undefined) {
    throw new Refusal("userinfo_invalid", { detail: "the provider has no userinfo endpoint" });
  }
  try {
    const headers = {
      accept: "application/json, application/jwt",
      authorization: bearer(accessToken),
    };
    const request = { endpoint: "userinfo", method: "GET", headers } as const;
    return await connection.issuer.fetch(address, request);
  } catch (error) {
    throw refusalOfCall(error, "userinfo_invalid", "userinfo request");
  }
}

/**
 * A header with an access token (RFC 6750, section 2.1).
 *
 * @throws {TypeError} if no header can carry it
 */
function bearer(accessToken: string): string {
  return new Headers([["authorization", `Bearer ${accessToken}`]]).get("authorization") ?? "";
}

/** Some providers label a signed token as JSON, or JSON as text: what came decides. */
async function readClaims(response: ProviderResponse, reading: Reading): Promise<JSONObject> {
  const text = (await response.text()).trim();
  if (/^[\w-]+(?:\.[\w-]*)+$/.test(text)) return readSigned(text, reading);
  const type = mediaTypeOf(response.headers) || "no type";
  return readDocument(response, `userinfo of ${quote(type)}`, "userinfo_invalid");
}

/** What is checked in every userinfo response. */
export const userinfoSubject: CheckList<{
  readonly claims: JSONObject;
  readonly subject: string;
}> = {
  title: "Userinfo",
  checks: [
    /** The response is about the user of the ID token (OpenID Connect Core 5.3.2). */
    {
      name: "sub",
      reason: "userinfo_subject",
      holds: ({ claims, subject }) => claims["sub"] === subject,
      expected: ({ subject }) => subject,
      actual: ({ claims }) => claims["sub"],
    },
  ],
};

/** Read like an ID token. */
async function readSigned(text: string, { connection, now }: Reading): Promise<JSONObject> {
  const { check } = connection;
  const token = readProviderToken("userinfo_token", text, check);
  await verifySignature(connection, token);
  const { issuer } = await connection.issuer.metadata();
  const claims = token.payload;
  const time = { now, clockTolerance: connection.clockTolerance };
  check(userinfoClaims, { token, claims, client: connection, issuer, time });
  return claims;
}

/** The checks of userinfo as a signed token (OpenID Connect Core 5.3.2), in their order. */
export const userinfoClaims: CheckList<TokenFacts<"userinfo_token">> = {
  title: "Userinfo token",
  kind: "userinfo_token",
  checks: [
    issuerCheck,
    audienceCheck,
    /** The response has not expired, if it says when it does (RFC 7519, 4.1.4). */
    { ...expiryCheck, applies: ({ claims }) => claims["exp"] !== undefined },
    notBeforeCheck,
  ],
};
