import { userInfoRequest } from "oauth4webapi";

import type { Config } from "../config/config.ts";
import { type JSONObject, withoutNulls } from "../crypto/json-object.ts";
import { parseStrictJSON } from "../crypto/strict-json.ts";
import { Refusal } from "../errors/refusal.ts";
import { mediaTypeOf } from "../http/media-type.ts";
import { callOptions, clientOf, refusalOfCall } from "./client-call.ts";
import type { Provider } from "./provider.ts";
import { assertOK } from "./provider-fetch.ts";
import {
  checkAudience,
  checkExpiry,
  checkIssuer,
  checkNotBefore,
  readProviderToken,
} from "./tokens/token-claims.ts";

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
 * @throws {Refusal} `userinfo_invalid`, `userinfo_subject`, `userinfo_token_…`, or the error of the
 *   call
 */
export async function fetchUserinfo(
  config: Config,
  provider: Provider,
  { accessToken, subject, now }: UserinfoRequest,
): Promise<JSONObject> {
  const metadata = await provider.metadata();
  if (metadata.userinfo_endpoint === undefined) {
    throw new Refusal("userinfo_invalid", { detail: "the provider has no userinfo endpoint" });
  }
  const options = callOptions(config, provider.fetch, "userinfo");
  const response = await userInfoRequest(metadata, clientOf(config), accessToken, options).catch(
    (error: unknown) => {
      throw refusalOfCall(error, "userinfo_invalid", "userinfo request");
    },
  );
  if (response.status === 401) {
    throw new RejectedTokenRefusal("userinfo_invalid", { detail: "userinfo responded with 401" });
  }
  assertOK(response, "userinfo_invalid", "userinfo");
  const claims = await readClaims(response, { config, provider, now });
  if (claims["sub"] !== subject) throw new Refusal("userinfo_subject");
  return withoutNulls(claims);
}

interface Reading extends Pick<UserinfoRequest, "now"> {
  readonly config: Config;
  readonly provider: Provider;
}

async function readClaims(response: Response, reading: Reading): Promise<JSONObject> {
  const type = mediaTypeOf(response.headers);
  if (type === "application/jwt") return readSigned(await response.text(), reading);
  if (type !== "application/json") {
    throw new Refusal("userinfo_invalid", { detail: "neither JSON nor a JWT" });
  }
  const claims = parseStrictJSON(await response.arrayBuffer());
  if (claims === null) throw new Refusal("userinfo_invalid", { detail: "not a JSON object" });
  return claims;
}

/** Read like an ID token; times are checked if the response has them. */
async function readSigned(text: string, { config, provider, now }: Reading): Promise<JSONObject> {
  const token = readProviderToken("userinfo_token", text);
  await provider.verifySignature(token);
  checkIssuer(token, (await provider.metadata()).issuer);
  checkAudience(token, config.clientID);
  const { exp, nbf } = token.payload;
  const time = { now, clockTolerance: config.clockTolerance };
  if (exp !== undefined) checkExpiry(token, exp, time);
  checkNotBefore(token, nbf, time);
  return token.payload;
}
