import type { CompactJWS } from "../../crypto/compact-jws.ts";
import { isListOfTexts, isJSONObject, type JSONObject, kindOf } from "../../crypto/json-object.ts";
import { importPublicKey, type VerifyKey } from "../../crypto/signature.ts";
import { Refusal } from "../../errors/refusal.ts";
import { issuerFor } from "./tenants.ts";
import { freshForMs } from "./outages/freshness.ts";
import { type MemberReader, optionalText, readDocument } from "./provider-document.ts";
import { assertOK, type ProviderFetch } from "./provider-fetch.ts";
import type { Loaded } from "./outages/single-flight.ts";

/** A public key for signatures. */
export interface SigningKey {
  readonly kid: string | undefined;
  /** Signs for this issuer only; Entra ID has such keys. May stand for all of its tenants. */
  readonly issuer: string | undefined;
  /** Whether its type, curve and `alg` fit an algorithm. */
  isFor(alg: string): boolean;
  /** The key ready for use; `null` for a bad point, too few bits or an unknown curve. */
  imported(alg: string): Promise<VerifyKey | null>;
}

/** The most keys tried for one token: a set may hold decoys with the same key id. */
const candidatesAtMost = 5;
const keysAtMost = 100;

/**
 * Fetches the provider's key set (RFC 7517, section 5), without the keys for other uses.
 *
 * @throws {Refusal} `keys_invalid`, or the error of the call
 */
export async function fetchKeys(
  address: string,
  fetch: ProviderFetch,
  readMembers: MemberReader,
): Promise<Loaded<readonly SigningKey[]>> {
  const response = await fetch(address, {
    endpoint: "keys",
    method: "GET",
    headers: { Accept: "application/jwk-set+json, application/json" },
  });
  assertOK(response, "keys_invalid", "key set");
  const { keys } = await readDocument(response, "key set", "keys_invalid");
  if (!Array.isArray(keys)) {
    throw new Refusal("keys_invalid", { detail: `keys is ${kindOf(keys)}, not a list` });
  }
  if (keys.length > keysAtMost) {
    throw new Refusal("keys_invalid", { detail: `${keys.length} keys, more than ${keysAtMost}` });
  }
  const value = keys
    .filter(isJSONObject)
    .map((key) => readSigningKey(readMembers("keys", key, optionalMembers)))
    .filter((key) => key !== null);
  return { value, freshForMs: freshForMs(response.headers) };
}

/**
 * What a key of the provider may leave out (RFC 7517, section 4; RFC 7518, section 6). Without a
 * member that its type needs it verifies nothing. Its issuer is not among them: a key of an
 * unreadable issuer must not sign for every issuer.
 */
const optionalMembers = {
  use: {
    expected: "a text",
    read: (value: unknown) => (isListWith(value, "sig") ? "sig" : firstText(value)),
  },
  key_ops: {
    expected: "a list of texts",
    read: listOfTexts,
  },
  kid: optionalText,
  alg: optionalText,
  kty: optionalText,
  crv: optionalText,
  n: optionalText,
  e: optionalText,
  x: optionalText,
  y: optionalText,
};

function firstText(value: unknown): string | undefined {
  return optionalText.read(Array.isArray(value) ? value[0] : value);
}

/** One text stands for a list of it. */
function listOfTexts(value: unknown): readonly string[] | undefined {
  if (isListOfTexts(value)) return value;
  const text = optionalText.read(value);
  return text === undefined ? undefined : [text];
}

/** Returns the keys of a set that may have signed a token, ready for use. */
export async function usableKeys(
  keys: readonly SigningKey[],
  { header: { alg, kid }, payload }: Pick<CompactJWS, "header" | "payload">,
): Promise<readonly VerifyKey[]> {
  const candidates = keys
    .filter((key) => kid === undefined || key.kid === kid)
    .filter((key) => key.isFor(alg))
    .filter(({ issuer }) => issuer === undefined || issuerFor(issuer, payload) === payload["iss"])
    .slice(0, candidatesAtMost);
  const imported = await Promise.all(candidates.map(async (key) => key.imported(alg)));
  return imported.filter((key) => key !== null);
}

const curves: Readonly<Record<string, string>> = {
  ES256: "P-256",
  ES384: "P-384",
  ES512: "P-521",
  EdDSA: "Ed25519",
  Ed25519: "Ed25519",
};

/** Returns `null` for a key with another use or an invalid member (RFC 7517, section 4). */
export function readSigningKey(key: unknown): SigningKey | null {
  if (!isJSONObject(key)) return null;
  const { use, key_ops: operations, ...rest } = key;
  if (use !== undefined && use !== "sig") return null;
  if (operations !== undefined && !isListWith(operations, "verify")) return null;
  const members = readTexts(rest);
  if (members === null) return null;
  const { kid, issuer, alg: _alg, ...publicPart } = members;
  const imports = new Map<string, Promise<VerifyKey | null>>();
  return {
    kid,
    issuer,
    isFor: (alg) => isFor(members, alg),
    imported(alg) {
      const importing = imports.get(alg) ?? importPublicKey(publicPart, alg);
      imports.set(alg, importing);
      return importing;
    },
  };
}

function isListWith(value: unknown, member: string): boolean {
  return Array.isArray(value) && value.includes(member);
}

const memberNames = ["kid", "issuer", "alg", "kty", "crv", "n", "e", "x", "y"] as const;
type Members = Readonly<Partial<Record<(typeof memberNames)[number], string>>>;

/** The members in use, all of them text; private ones are dropped. */
function readTexts(key: JSONObject): Members | null {
  const members: Partial<Record<keyof Members, string>> = {};
  for (const name of memberNames) {
    const value = key[name];
    if (typeof value === "string") members[name] = value;
    else if (value !== undefined) return null;
  }
  return members;
}

/** `EdDSA` and `Ed25519` are two names of one algorithm (RFC 9864). */
function isFor({ kty, crv, alg: named }: Members, alg: string): boolean {
  const curve = curves[alg];
  const type = curve === undefined ? "RSA" : curve === "Ed25519" ? "OKP" : "EC";
  const isNamed =
    named === undefined || named === alg || (type === "OKP" && curves[named] === curve);
  return kty === type && (curve === undefined || crv === curve) && isNamed;
}
