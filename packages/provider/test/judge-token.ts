import { constants, createHash, createHmac, createPublicKey, verify } from "node:crypto";
import type { JWK } from "jose";

// A verifier of signed tokens, independent of the provider's code and of the libraries of relying
// parties, so a mistake in one of them is not repeated here.

/** The expected values of a token. */
export interface Expected {
  readonly issuer: string;
  readonly clientID: string;
  readonly secret: string;
  readonly alg: string;
  readonly keys: readonly JWK[];
  readonly nowSeconds: number;
}

/** Further expected values of an ID token. */
export interface ExpectedIDToken extends Expected {
  /** The nonce of the request; `undefined` at a refresh, which need not return it. */
  readonly nonce: string | undefined;
  readonly maxAge: number | undefined;
  /** The code beside the ID token in an authorization response, which then needs c_hash. */
  readonly code?: string | undefined;
  readonly accessToken?: string | undefined;
  /** The claims of an earlier ID token of the same sign-in. */
  readonly earlier?: Claims | undefined;
}

export type Claims = Readonly<Record<string, unknown>>;

/** The faults, none for a valid token, and the claims as far as they are readable. */
export interface Verdict {
  readonly faults: readonly string[];
  readonly claims: Claims;
  readonly header: Claims;
}

const tolerance = 60;
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

export function judgeIDToken(token: string, expected: ExpectedIDToken): Verdict {
  const { faults, claims, header } = judgeSignedToken(token, expected, ["JWT"]);
  const { nowSeconds, nonce, maxAge, code, accessToken, earlier } = expected;
  const found = [...faults, ...judgeParties(claims, expected), ...judgeTimes(claims, expected)];
  const check = (good: boolean, fault: string) => void (good || found.push(fault));
  check(typeof claims["sub"] === "string" && claims["sub"] !== "", "sub");
  check(nonce === undefined || claims["nonce"] === nonce, "nonce");
  check(!("events" in claims), "it is a logout token");
  if (maxAge !== undefined) {
    const authTime = claims["auth_time"];
    const fresh = typeof authTime === "number" && authTime + maxAge + tolerance > nowSeconds;
    check(fresh, "auth_time");
  }
  if (code !== undefined) check(claims["c_hash"] === leftHalfHash(code, expected.alg), "c_hash");
  if (accessToken !== undefined && "at_hash" in claims) {
    check(claims["at_hash"] === leftHalfHash(accessToken, expected.alg), "at_hash");
  }
  for (const name of earlier === undefined ? [] : ["iss", "sub"]) {
    check(claims[name] === earlier?.[name], `${name} differs from the earlier ID token`);
  }
  if (nonce === undefined && "nonce" in claims) {
    check(claims["nonce"] === earlier?.["nonce"], "nonce differs from the earlier ID token");
  }
  return { faults: found, claims, header };
}

export function judgeLogoutToken(token: string, expected: Expected): Verdict {
  const { faults, claims, header } = judgeSignedToken(token, expected, ["JWT", "logout+jwt"]);
  const found = [...faults, ...judgeParties(claims, expected), ...judgeTimes(claims, expected)];
  const check = (good: boolean, fault: string) => void (good || found.push(fault));
  const isName = (value: unknown) =>
    value === undefined || (typeof value === "string" && value !== "" && value.length <= 1024);
  check(typeof claims["jti"] === "string" && claims["jti"] !== "", "jti");
  check(!("nonce" in claims), "nonce");
  check(claims["sub"] !== undefined || claims["sid"] !== undefined, "neither sub nor sid");
  check(isName(claims["sub"]), "sub");
  check(isName(claims["sid"]), "sid");
  const events = claims["events"];
  check(isObject(events) && isObject(events[logoutEvent]), "events");
  return { faults: found, claims, header };
}

/** Judges a userinfo response in the form of a JWT. */
export function judgeUserinfoToken(token: string, expected: Expected): Verdict {
  const { faults, claims, header } = judgeSignedToken(token, expected, ["JWT"]);
  return { faults: [...faults, ...judgeParties(claims, expected)], claims, header };
}

function judgeParties(claims: Claims, { issuer, clientID }: Expected): readonly string[] {
  const { iss, aud, azp } = claims;
  const audience: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return [
    ...(iss === issuer ? [] : ["iss"]),
    ...(audience.length === 1 && audience[0] === clientID ? [] : ["aud"]),
    ...(azp === undefined || azp === clientID ? [] : ["azp"]),
  ];
}

function judgeTimes({ exp, iat, nbf }: Claims, { nowSeconds }: Expected): readonly string[] {
  const faults: string[] = [];
  if (typeof exp !== "number" || exp + tolerance <= nowSeconds) faults.push("exp");
  if (typeof iat !== "number" || iat - tolerance > nowSeconds) faults.push("iat");
  if (typeof iat === "number" && iat + 600 < nowSeconds) faults.push("iat is too old");
  if (nbf !== undefined && (typeof nbf !== "number" || nbf - tolerance > nowSeconds)) {
    faults.push("nbf");
  }
  return faults;
}

function judgeSignedToken(token: string, expected: Expected, types: readonly string[]): Verdict {
  const parts = token.split(".");
  const [head = "", body = "", signature = ""] = parts;
  const header = readObject(head);
  const claims = readObject(body);
  const faults: string[] = [];
  const check = (good: boolean, fault: string) => void (good || faults.push(fault));
  check(token.length <= 65_536, "too large");
  check(parts.length === 3, "not three parts");
  check(parts.every(isCanonical), "not canonical base64url");
  check(header !== null, "header");
  check(claims !== null, "payload");
  if (header === null) return { faults, claims: claims ?? {}, header: {} };
  check(header["alg"] === expected.alg, "alg");
  check(!("crit" in header), "crit");
  check(!("zip" in header), "zip");
  check(header["typ"] === undefined || types.some((type) => type === header["typ"]), "typ");
  const input = Buffer.from(`${head}.${body}`);
  check(isSigned(header, input, Buffer.from(signature, "base64url"), expected), "signature");
  return { faults, claims: claims ?? {}, header };
}

function isCanonical(part: string): boolean {
  return part !== "" && Buffer.from(part, "base64url").toString("base64url") === part;
}

/** Reads canonical JSON; null for anything else. */
function readObject(part: string): Claims | null {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const text = decoder.decode(Buffer.from(part, "base64url"));
    const value: unknown = JSON.parse(text);
    // Writing it again returns the same text unless a member is repeated or a number rounded.
    if (JSON.stringify(value) !== text || /\\ud[89a-f]/u.test(text)) return null;
    if (!isObject(value) || Array.isArray(value) || depth(value) > 20) return null;
    return value;
  } catch {
    return null;
  }
}

function depth(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depth));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSigned(header: Claims, input: Buffer, signature: Buffer, expected: Expected): boolean {
  if (expected.alg.startsWith("HS")) {
    return createHmac(`sha${expected.alg.slice(2)}`, expected.secret)
      .update(input)
      .digest()
      .equals(signature);
  }
  return expected.keys
    .filter((jwk) => matches(jwk, header, expected.alg))
    .some((jwk) => isSignedBy(jwk, expected.alg, input, signature));
}

function matches(jwk: JWK, { kid }: Claims, alg: string): boolean {
  const type = alg === "ES256" ? "EC P-256" : alg === "EdDSA" ? "OKP Ed25519" : "RSA ";
  return (
    `${jwk.kty} ${jwk.crv ?? ""}` === type &&
    (kid === undefined || jwk.kid === kid) &&
    (jwk.alg === undefined || jwk.alg === alg) &&
    (jwk.use === undefined || jwk.use === "sig")
  );
}

function isSignedBy(jwk: JWK, alg: string, input: Buffer, signature: Buffer): boolean {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
    const { modulusLength = 2048, publicExponent = 3n } = key.asymmetricKeyDetails ?? {};
    if (modulusLength < 2048 || publicExponent % 2n !== 1n) return false;
    if (alg === "EdDSA") return verify(null, input, key, signature);
    const saltLength = Number(alg.slice(2)) / 8;
    const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
    const plain = { dsaEncoding: "ieee-p1363" } as const;
    const options = { key, ...(alg.startsWith("PS") ? pss : plain) };
    return verify(`sha${alg.slice(2)}`, input, options, signature);
  } catch {
    return false;
  }
}

function leftHalfHash(value: string, alg: string): string {
  const digest = createHash(`sha${alg === "EdDSA" ? "512" : alg.slice(2)}`)
    .update(value)
    .digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}
