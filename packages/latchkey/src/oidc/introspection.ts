import { readCompactJWS } from "../crypto/compact-jws.ts";
import { isJSONObject, isNumericDate, type JSONObject } from "../crypto/json-object.ts";
import { oneLine } from "../errors/one-line.ts";
import { Refusal } from "../errors/refusal.ts";
import { mediaTypeOf } from "../http/media-type.ts";
import { postAsClient, refusalOfCall } from "./client-call.ts";
import type { Connection } from "./connection.ts";
import type { Issuer } from "./issuer/issuer.ts";
import { readObject } from "./issuer/provider-document.ts";
import type { ProviderResponse } from "./issuer/provider-fetch.ts";

/** How an endpoint for introspection is called. */
export interface IntrospectionCall {
  /** With the credentials of this API. */
  readonly connection: Connection;
  /** By default that of the metadata. */
  readonly endpoint?: string | undefined;
  /** Algorithms of a signed answer; `null` if a plain one is expected. */
  readonly signedWith: readonly string[] | null;
}

/**
 * Introspects a token (RFC 7662, RFC 9701).
 *
 * @param now - epoch seconds
 * @returns the members of the answer, which the caller checks
 * @throws {Refusal} if there is no usable answer
 */
export async function introspect(
  call: IntrospectionCall,
  token: string,
  now: number,
): Promise<JSONObject> {
  const { connection, endpoint, signedWith } = call;
  const { issuer, clientID, clockTolerance } = connection;
  const metadata = await issuer.metadata();
  const address = endpoint ?? metadata.introspection_endpoint;
  if (typeof address !== "string") {
    throw unusable("the metadata name no introspection_endpoint: set api.introspection.endpoint");
  }
  const response = await send(call, address, token);
  if (response.status !== 200) throw toRefusal(response.status);
  if (signedWith === null) {
    const members = await readObject(response, "introspection", "access_token_unchecked");
    const { active, error } = members;
    if (active != null || error == null) return members;
    throw unusable(`the answer is an error: ${oneLine(JSON.stringify(error), 200)}`);
  }
  if (mediaTypeOf(response.headers) !== "application/token-introspection+jwt") {
    throw unusable("the answer is not signed, and api.introspection.jwt is set");
  }
  return readSigned((await response.text()).trim(), {
    issuer,
    signedWith,
    name: metadata.issuer,
    audience: clientID,
    now,
    tolerance: clockTolerance + issuer.timeoutMs / 1000,
  });
}

async function send(
  { connection, signedWith }: IntrospectionCall,
  address: string,
  token: string,
): Promise<ProviderResponse> {
  try {
    const kind = signedWith === null ? "json" : "token-introspection+jwt";
    return await postAsClient(connection, {
      endpoint: "introspection",
      address,
      members: { token_type_hint: "access_token", token },
      accept: `application/${kind}`,
    });
  } catch (error) {
    throw refusalOfCall(error, "token_response_invalid", "introspection");
  }
}

interface SignedAnswer {
  readonly issuer: Issuer;
  readonly signedWith: readonly string[];
  /** The published name of the issuer. */
  readonly name: string;
  readonly audience: string;
  /** Epoch seconds. */
  readonly now: number;
  /** Seconds: the clocks may differ, and the answer was on its way. */
  readonly tolerance: number;
}

/** The claims of the token are inside one member; what stands outside is about the answer. */
async function readSigned(text: string, expected: SignedAnswer): Promise<JSONObject> {
  const { issuer, signedWith, name, audience, now, tolerance } = expected;
  const jws = readCompactJWS(text);
  if (jws === null) throw unusable("the signed answer is not a well-formed JWT");
  const { typ, alg } = jws.header;
  if (typ !== "token-introspection+jwt") throw unusable("the signed answer has another typ");
  if (!signedWith.includes(alg)) throw unusable("the signed answer has another alg");
  const { iss, aud, iat, token_introspection: members } = jws.payload;
  if (iss !== name) throw unusable("the signed answer has another iss");
  if (!(Array.isArray(aud) ? aud.includes(audience) : aud === audience)) {
    throw unusable("the signed answer is for another client");
  }
  // An older answer is the one to an earlier question: the token may have been revoked since.
  if (!isNumericDate(iat) || Math.abs(now - iat) > tolerance) {
    throw unusable("the signed answer is not of now, by its iat");
  }
  if (!isJSONObject(members)) throw unusable("the signed answer has no token_introspection");
  const verdict = await issuer.verify(jws);
  if (verdict !== "verified") throw unusable(`the signature of the answer is ${verdict}`);
  return members;
}

function toRefusal(status: number): Refusal {
  const detail = `introspection responded with ${status}`;
  if (status >= 500) return new Refusal("provider_failed", { detail });
  return unusable(`${detail}; check the credentials in api.introspection`);
}

function unusable(detail: string): Refusal {
  return new Refusal("access_token_unchecked", { detail });
}
