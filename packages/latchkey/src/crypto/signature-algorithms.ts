/** How Web Crypto imports the key of an algorithm, and signs and verifies with it. */
export interface SignatureAlgorithm {
  readonly key: { readonly name: string; readonly hash?: string; readonly namedCurve?: string };
  readonly signature: {
    readonly name: string;
    readonly hash?: string;
    readonly saltLength?: number;
  };
}

/** Signatures with a key pair (RFC 7518, section 3; RFC 8037; RFC 9864). */
export const keyPairAlgorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ["RS256", withRSA("256")],
  ["RS384", withRSA("384")],
  ["RS512", withRSA("512")],
  ["PS256", withRSA("256", 32)],
  ["PS384", withRSA("384", 48)],
  ["PS512", withRSA("512", 64)],
  ["ES256", withCurve("256", "P-256")],
  ["ES384", withCurve("384", "P-384")],
  ["ES512", withCurve("512", "P-521")],
  ["EdDSA", withEd25519()],
  ["Ed25519", withEd25519()],
]);

/** Signatures with a shared secret (RFC 7518, section 3.2). */
export const secretAlgorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ["HS256", withSecret("256")],
  ["HS384", withSecret("384")],
  ["HS512", withSecret("512")],
]);

/** @param saltLength - in bytes; it is as long as the hash (RFC 7518, section 3.5) */
function withRSA(bits: string, saltLength?: number): SignatureAlgorithm {
  const signature =
    saltLength === undefined ? { name: "RSASSA-PKCS1-v1_5" } : { name: "RSA-PSS", saltLength };
  return { key: { name: signature.name, hash: `SHA-${bits}` }, signature };
}

function withCurve(bits: string, namedCurve: string): SignatureAlgorithm {
  return { key: { name: "ECDSA", namedCurve }, signature: { name: "ECDSA", hash: `SHA-${bits}` } };
}

function withEd25519(): SignatureAlgorithm {
  return { key: { name: "Ed25519" }, signature: { name: "Ed25519" } };
}

function withSecret(bits: string): SignatureAlgorithm {
  return { key: { name: "HMAC", hash: `SHA-${bits}` }, signature: { name: "HMAC" } };
}
