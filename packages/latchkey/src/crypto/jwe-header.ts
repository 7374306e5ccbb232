/** The protected header of our compact JWE, beside what the caller adds. */
export type JWEHeader = Readonly<Record<string, unknown>>;

/** A compact JWE that may be ours: direct encryption with A256GCM, nothing compressed, nothing critical. */
export interface JWEParts {
  readonly header: JWEHeader;
  /** The encoded header: the additional authenticated data. */
  readonly aad: string;
  readonly iv: string;
  readonly ciphertext: string;
  readonly tag: string;
}

/** Longest value we look at, in characters: above any session that a browser can carry. */
const longest = 128 * 1024;

const ivLength = 16;
/** Letters of the authentication tag, which ends the text. */
export const tagLength = 22;

/**
 * Takes a compact JWE apart and checks its form before anything is decrypted; `null` for anything that we did
 * not make: `alg` other than `dir`, `enc` other than `A256GCM`, `zip`, `crit`, wrong lengths. Whoever decodes the
 * ciphertext sees to it that it is spelt canonically: in Node there is a quicker way than to look at each letter.
 */
export function readJWE(value: string, decodeText: (base64url: string) => string): JWEParts | null {
  if (value.length > longest) return null;
  const [aad, key, iv, ciphertext, tag, ...more] = value.split(".", 6);
  if (aad === undefined || key !== "" || more.length > 0) return null;
  if (iv?.length !== ivLength || tag?.length !== tagLength || !ciphertext) return null;
  if (!isCanonicalBase64url(iv) || !isCanonicalBase64url(tag)) return null;
  const header = parseHeader(aad, decodeText);
  if (header === null || header["alg"] !== "dir" || header["enc"] !== "A256GCM") return null;
  return "zip" in header || "crit" in header ? null : { header, aad, iv, ciphertext, tag };
}

function parseHeader(aad: string, decodeText: (base64url: string) => string): JWEHeader | null {
  try {
    const header: unknown = JSON.parse(decodeText(aad));
    return isRecord(header) ? header : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is JWEHeader {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const base64url = /^[\w-]+$/;
const lastOfTwo = /[AQgw]$/;
const lastOfThree = /[AEIMQUYcgkosw048]$/;

/** One value, one spelling: no padding, no foreign letters, no stray bits at the end (RFC 4648, 3.5). */
export function isCanonicalBase64url(value: string): boolean {
  return base64url.test(value) && endsCanonically(value);
}

/** Whether the last letter holds no bits that decoding would drop. */
export function endsCanonically(value: string): boolean {
  const rest = value.length % 4;
  if (rest === 1) return false;
  return rest === 0 || (rest === 2 ? lastOfTwo : lastOfThree).test(value.slice(-1));
}
