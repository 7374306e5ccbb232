import type { Config } from "../config/config.ts";
import { type CompactJWS, readCompactJWS } from "../crypto/compact-jws.ts";
import { sha256 } from "../crypto/digest.ts";
import { isJSONObject, isNumericDate, type JSONObject } from "../crypto/json-object.ts";
import { verifies } from "../crypto/signature.ts";
import { thumbprintOf } from "../crypto/thumbprint.ts";
import type { HostRequest } from "../http/auth-request.ts";
import type { RequestTarget } from "../http/request-target.ts";
import { readSigningKey } from "../oidc/issuer/signing-keys.ts";
import { pageURL } from "../request/guard/page-address.ts";
import { toleranceSeconds } from "./claims.ts";
import { TokenRefused } from "./token-refused.ts";

/** Algorithms that a proof may be signed with. */
export const proofAlgorithms: readonly string[] = ["ES256", "ES384", "EdDSA", "PS256", "RS256"];

/** Seconds that the `iat` of a proof may be from now, before and after. */
export const proofWindowSeconds = 300;

/** A request with a proof, and what the proof must be about. */
export interface ProofRequest {
  readonly request: HostRequest;
  readonly target: RequestTarget;
  readonly config: Config;
  /** The access token as sent. */
  readonly token: string;
  /** The thumbprint of the key that the token is bound to. */
  readonly boundKey: string;
  /** Epoch seconds. */
  readonly now: number;
}

/** A checked proof, as far as it is used once. */
export interface Proof {
  readonly jti: string;
  readonly nonce: unknown;
  /** Epoch seconds. */
  readonly issuedAt: number;
}

/**
 * Checks the proof of a request (RFC 9449, 4.3), except its nonce and whether it is new.
 *
 * @throws {TokenRefused} `invalid_dpop_proof`, always with the same sentence
 */
export async function checkProof(asked: ProofRequest): Promise<Proof> {
  const { request, target, config, token, boundKey, now } = asked;
  const header = request.headers.get("dpop");
  if (header === null) throw badProof("there is none");
  const proof = readCompactJWS(header);
  if (proof === null) throw badProof("it is no JWT, or there are several");
  const jwk = publicKeyOf(proof);
  if (thumbprintOf(jwk) !== boundKey) throw badProof("jwk is not the key of the token");
  await checkSignature(proof, jwk);
  const { htm, htu, ath, jti, nonce } = proof.payload;
  if (htm !== request.method) throw badProof("htm is another method");
  const address = addressOf(pageURL(config, target));
  if (address === null || addressOf(htu) !== address) throw badProof("htu is another address");
  if (ath !== sha256(token)) throw badProof("ath is of another token");
  const issuedAt = checkTimes(proof.payload, now);
  if (typeof jti !== "string" || jti === "") throw badProof("jti is missing");
  return { jti, nonce, issuedAt };
}

/** Neither `exp` nor `nbf` is needed (RFC 9449, 4.2), but a client may narrow the time. */
function checkTimes({ iat, exp, nbf }: JSONObject, now: number): number {
  if (!isNumericDate(iat) || Math.abs(now - iat) > proofWindowSeconds) {
    throw badProof("iat is not near now");
  }
  if (exp !== undefined && !(isNumericDate(exp) && exp + toleranceSeconds > now)) {
    throw badProof("exp is over");
  }
  if (nbf !== undefined && !(isNumericDate(nbf) && nbf - toleranceSeconds <= now)) {
    throw badProof("nbf is not reached");
  }
  return iat;
}

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

function publicKeyOf({ header: { typ, alg, jwk } }: CompactJWS): JSONObject {
  if (typeof typ !== "string" || !/^(?:application\/)?dpop\+jwt$/i.test(typ)) {
    throw badProof("typ is not dpop+jwt");
  }
  if (!proofAlgorithms.includes(alg)) throw badProof("alg is not accepted");
  if (!isJSONObject(jwk)) throw badProof("jwk is missing");
  if (privateMembers.some((name) => Object.hasOwn(jwk, name))) throw badProof("jwk is private");
  return jwk;
}

async function checkSignature(proof: CompactJWS, jwk: JSONObject): Promise<void> {
  const { alg } = proof.header;
  const signingKey = readSigningKey(jwk);
  if (signingKey?.isFor(alg) !== true) throw badProof("jwk is not for signatures with this alg");
  const key = await signingKey.imported(alg);
  if (key === null || !(await verifies(proof, key))) throw badProof("its signature is wrong");
}

export function badProof(detail: string): TokenRefused {
  return new TokenRefused("invalid_dpop_proof", "The DPoP proof is not accepted.", detail);
}

/** Parsers drop white space, and resolve segments of dots, which the app may read otherwise. */
const ambiguous = /[\s\\]|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * An address without query and fragment, in one spelling: the parser has settled scheme, host and
 * port (RFC 3986, 6.2.2 and 6.2.3). `null` for no address, and for one with several readings.
 */
function addressOf(text: unknown): string | null {
  const isPlain = typeof text === "string" && !ambiguous.test(text.split(/[?#]/, 1)[0] ?? "");
  const url = isPlain ? URL.parse(text) : null;
  if (url === null || url.username !== "" || url.password !== "") return null;
  const path = url.pathname.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
  return url.origin + path;
}
