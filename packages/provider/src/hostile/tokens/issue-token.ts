import type { Members, Situation, TokenFault } from "../behavior.ts";
import { ownSigner } from "../key-ring.ts";

/**
 * Writes a compact JWS, with faults at its steps.
 *
 * The signature covers the faulty header and payload: a verifier that checks only the signature
 * accepts the token.
 */
export function issueToken(
  claims: Members,
  faults: readonly TokenFault[],
  situation: Situation,
): string {
  const signer = signerOf(faults, situation);
  const own: Members = {
    alg: signer?.alg ?? "none",
    kid: signer?.kid,
    ...signer?.header,
  };
  const header = faults.reduce((value, fault) => fault.header?.(value, situation) ?? value, own);
  const body = faults.reduce((value, fault) => fault.claims?.(value, situation) ?? value, claims);
  const payload = faults.reduce<string | Uint8Array>(
    (value, fault) =>
      typeof value === "string" ? (fault.payload?.(value, situation) ?? value) : value,
    JSON.stringify(body),
  );
  const input = `${base64url(JSON.stringify(header))}.${base64url(payload)}`;
  const signature = signer === null ? "" : base64url(signer.sign(Buffer.from(input)));
  return faults.reduce(
    (token, fault) => fault.text?.(token, situation) ?? token,
    `${input}.${signature}`,
  );
}

function signerOf(faults: readonly TokenFault[], situation: Situation) {
  const chosen = faults.findLast((fault) => fault.signer !== undefined);
  if (chosen?.signer !== undefined) return chosen.signer(situation);
  return ownSigner(situation.keys, situation.alg, situation.client.secret);
}

function base64url(data: string | Uint8Array): string {
  return Buffer.from(data).toString("base64url");
}
