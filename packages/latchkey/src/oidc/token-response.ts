import { isListOfTexts, isNumericDate, type JSONObject, kindOf } from "../crypto/json-object.ts";
import { Refusal } from "../errors/refusal.ts";
import { readSuccess } from "./error-answer.ts";
import type { Issuer } from "./issuer/issuer.ts";
import { objectOf, type OptionalMember, optionalText } from "./issuer/provider-document.ts";
import type { ProviderResponse } from "./issuer/provider-fetch.ts";

/** A successful token response (RFC 6749, 5.1), whose ID token is still to be verified. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** As granted; absent means: as requested. */
  readonly scope: string | undefined;
  /** Seconds; absent if the provider does not send it. See {@link endOfAccessToken}. */
  readonly expiresIn: number | undefined;
  /** What token exchange has issued (RFC 8693, 2.2.1). */
  readonly issuedTokenType?: unknown;
}

/**
 * Returns when the access token of a response ends, in epoch seconds; `undefined` if that is
 * unknown. Some providers send 0 for a token without an end.
 */
export function endOfAccessToken(
  { expiresIn = 0 }: TokenResponse,
  receivedAt: number,
): number | undefined {
  return expiresIn >= 1 ? receivedAt + Math.floor(expiresIn) : undefined;
}

/**
 * Reads a token response; the ID token is left to `verifyIDToken`.
 *
 * @throws {Refusal} `token_response_invalid`
 * @throws {ErrorResponse} for anything but a success
 */
export async function readTokenResponse(
  { readMembers }: Pick<Issuer, "readMembers">,
  response: ProviderResponse,
): Promise<TokenResponse> {
  const body = await readSuccess(response, { status: 200, needed: ["access_token", "id_token"] });
  const document = objectOf(body, "token response", "token_response_invalid");
  const members = readMembers("token response", document, {
    refresh_token: optionalText,
    scope: optionalScope,
    expires_in: optionalSeconds,
  });
  checkTokenType(members);
  return {
    accessToken: requireText(members, "access_token"),
    idToken: members["id_token"] === undefined ? undefined : requireText(members, "id_token"),
    refreshToken: members.refresh_token,
    scope: members.scope,
    expiresIn: members.expires_in,
    issuedTokenType: members["issued_token_type"],
  };
}

/** Some providers send a list of names in place of a text. */
const optionalScope: OptionalMember<string> = {
  expected: "a text",
  read: (value) => optionalText.read(isListOfTexts(value) ? value.join(" ") : value),
};

/** Some providers send the number as text; anything but digits, such as a date, is none. */
const optionalSeconds: OptionalMember<number> = {
  expected: "a lifetime in seconds",
  read(value) {
    const isDigits = typeof value === "string" && /^\d+$/.test(value);
    const seconds = isDigits ? Number(value) : value;
    return isNumericDate(seconds) ? seconds : undefined;
  },
};

function checkTokenType(members: JSONObject): void {
  const type = requireText(members, "token_type");
  if (type.toLowerCase() === "bearer") return;
  const detail = `token_type is ${type.slice(0, 20)}, not Bearer`;
  throw new Refusal("token_response_invalid", { detail });
}

function requireText(members: JSONObject, name: string): string {
  const value = members[name];
  if (typeof value === "string" && value !== "") return value;
  const detail = `token response: ${name} is ${kindOf(value)}, not a text`;
  throw new Refusal("token_response_invalid", { detail });
}
