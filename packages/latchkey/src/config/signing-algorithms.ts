/** How tokens may be signed (RFC 7518, section 3.1; RFC 8037; RFC 9864), with a key pair. */
export const asymmetricAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;

/** The same with the client secret. */
export const symmetricAlgorithms = ["HS256", "HS384", "HS512"] as const;

export type AsymmetricAlgorithm = (typeof asymmetricAlgorithms)[number];
export type SymmetricAlgorithm = (typeof symmetricAlgorithms)[number];
