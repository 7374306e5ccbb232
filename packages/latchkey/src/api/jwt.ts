import { type CompactJWS, faultOfCompactJWS, readCompactJWS } from "../crypto/compact-jws.ts";
import { type JSONObject, withoutNulls } from "../crypto/json-object.ts";
import type { Principal } from "../principal/principal.ts";
import {
  boundKeyOf,
  checkAudience,
  checkID,
  checkTimes,
  clientOf,
  otherKind,
  refuseOtherKinds,
  scopesOf,
  printValue,
  subjectOf,
  withHint,
  wrongAudience,
} from "./claims.ts";
import { profiles } from "./profiles.ts";
import { invalidToken } from "./token-refused.ts";
import type { Trust, TrustedIssuer } from "./trust.ts";

/** A checked access token. */
export interface AccessToken extends Pick<Principal, "claims" | "scopes" | "issuer" | "client"> {
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** The thumbprint of the key that the token is bound to, if it is. */
  readonly boundKey: string | undefined;
}

/**
 * Checks a JWT access token (RFC 9068, section 4).
 *
 * @param now - epoch seconds
 * @throws {TokenRefused}
 * @throws {Refusal} if the keys of the issuer cannot be fetched
 */
export async function verifyJWT(text: string, trust: Trust, now: number): Promise<AccessToken> {
  const jws = readCompactJWS(text);
  if (jws === null) {
    throw invalidToken("The access token is not a well-formed JWT.", malformedHint(text));
  }
  const trusted = await findIssuer(jws, trust);
  checkHeader(jws, trusted);
  await checkSignature(jws, trusted);
  return readClaims(jws.payload, trusted, now);
}

/** Providers issue tokens in other forms if the client asks for no API. */
function malformedHint(text: string): string {
  if (text.startsWith("ya29.")) return "it is one of Google, which are for Google's own APIs";
  const parts = text.split(".").length;
  if (parts === 5) return "it is encrypted: with Auth0, ask for the audience of this API";
  if (parts === 3) return faultOfCompactJWS(text);
  return "it is opaque: ask the provider for a JWT for this API, or set api.introspection";
}

/** The unverified issuer only chooses from the list: no key of another one is tried. */
async function findIssuer(
  { payload }: CompactJWS,
  { issuers, ofTenants }: Trust,
): Promise<TrustedIssuer> {
  const { iss } = payload;
  const found = typeof iss === "string" ? (issuers.get(iss) ?? (await ofTenants(payload))) : null;
  if (found !== null) return found;
  const v1 = typeof iss === "string" && iss.startsWith("https://sts.windows.net/");
  const hint = v1 ? `; ${profiles.entra.audienceHint}` : "";
  const expected = [...issuers.keys()].join(" or ") || "that of a listed tenant";
  const detail = `iss: expected ${expected}, got ${printValue(iss)}${hint}`;
  throw invalidToken("The access token is of another issuer.", detail);
}

function checkHeader({ header }: CompactJWS, { profile, algorithms }: TrustedIssuer): void {
  const { alg, typ } = header;
  if (!algorithms.includes(alg)) {
    const detail = `alg: expected ${algorithms.join(" or ")}, got ${printValue(alg)}; check api.algorithms`;
    throw invalidToken("The access token is signed with another algorithm.", detail);
  }
  if (typ !== undefined && typeof typ !== "string") throw otherKind(`typ ${printValue(typ)}`);
  const type = (typ ?? "").toLowerCase().replace(/^application\//, "");
  if (!profile.types.includes(type))
    throw otherKind(`header typ ${printValue(typ)}; ${profile.hint}`);
}

async function checkSignature(jws: CompactJWS, { verify }: TrustedIssuer): Promise<void> {
  const verdict = await verify(jws);
  if (verdict === "verified") return;
  throw invalidToken("The signature of the access token cannot be verified.", verdict);
}

function readClaims(payload: JSONObject, trusted: TrustedIssuer, now: number): AccessToken {
  const claims = withoutNulls(payload);
  const { profile, audience, clientIDs, signInClients, issuer } = trusted;
  refuseOtherKinds(payload);
  checkTimes(claims, now);
  const missing = profile.required.find((name) => claims[name] === undefined);
  if (missing === "aud") throw wrongAudience(withHint("it has none", profile.audienceHint));
  if (missing !== undefined) throw otherKind(`it has no ${missing}; ${profile.hint}`);
  if (!profile.isMarked(claims, signInClients)) throw otherKind(profile.hint);
  const client = clientOf(claims);
  // An audience of null is a wrong one: clients take the place of a missing one only.
  if (payload["aud"] !== undefined) checkAudience(payload, audience, profile.audienceHint);
  else if (client === null || !clientIDs.includes(client)) {
    throw wrongAudience(
      `it has none, and its client ${printValue(client)} is not in api.clientIDs`,
    );
  }
  checkID(claims);
  const sub = subjectOf(claims);
  checkTenant(claims, issuer);
  return {
    issuer,
    claims: { ...claims, sub },
    scopes: scopesOf(claims),
    client,
    expiresAt: Number(claims["exp"]),
    boundKey: boundKeyOf(claims),
  };
}

/** An issuer of Entra ID names its tenant: no other one may be in the token. */
function checkTenant({ tid }: JSONObject, issuer: string): void {
  if (tid === undefined || !issuer.startsWith("https://login.microsoftonline.")) return;
  if (typeof tid === "string" && issuer.includes(`/${tid}/`)) return;
  throw invalidToken("The access token is of another issuer.", `tid ${printValue(tid)}`);
}
