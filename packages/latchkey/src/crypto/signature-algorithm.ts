/** An algorithm with its parameters, as Web Crypto names them; each operation reads those that it has. */
export interface SignatureAlgorithm {
  readonly name: string;
  readonly hash: string;
  readonly namedCurve: string;
  /** Bytes. */
  readonly saltLength: number;
}

const curves: Readonly<Record<string, string>> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };

/** The algorithm that a JOSE header names (RFC 7518, section 3.1; RFC 9864). */
export function signatureAlgorithm(alg: string): SignatureAlgorithm {
  const bits = alg.slice(2);
  return {
    name: nameOf(alg),
    hash: `SHA-${bits}`,
    namedCurve: curves[alg] ?? "",
    saltLength: Number(bits) / 8,
  };
}

function nameOf(alg: string): string {
  switch (alg.slice(0, 2)) {
    case "HS":
      return "HMAC";
    case "RS":
      return "RSASSA-PKCS1-v1_5";
    case "PS":
      return "RSA-PSS";
    case "ES":
      return "ECDSA";
    case "Ed":
      return "Ed25519";
    default:
      return alg;
  }
}
