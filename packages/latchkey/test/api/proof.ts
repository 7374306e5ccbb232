import { calculateJwkThumbprint, CompactSign, exportJWK } from "jose";

import { sha256 } from "../../src/crypto/digest.ts";
import { startSeconds } from "./api-app.ts";
import { keyPair, type Members } from "./issuer.ts";

/** How a proof differs from a good one. */
export interface ProofChange {
  readonly claims?: Members;
  readonly header?: Members;
  /** The name of the key that signs it. */
  readonly signer?: string;
}

let proofs = 0;

/** Makes a DPoP proof of the client for `GET https://app.example/api/data`. */
export async function proofFor(
  token: string,
  { claims, header, signer = "client" }: ProofChange = {},
): Promise<string> {
  const { publicKey } = await keyPair("ES256", "client");
  const { privateKey } = await keyPair("ES256", signer);
  const payload = {
    htm: "GET",
    htu: "https://app.example/api/data",
    iat: startSeconds,
    jti: `proof ${(proofs += 1)}`,
    ath: sha256(token),
    ...claims,
  };
  const jwk = await exportJWK(publicKey);
  return new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk, ...header })
    .sign(privateKey);
}

/** The claim of a token that is bound to the key of the client. */
export async function boundToClient(): Promise<{ readonly cnf: { readonly jkt: string } }> {
  const { publicKey } = await keyPair("ES256", "client");
  return { cnf: { jkt: await calculateJwkThumbprint(publicKey) } };
}
