import { createLocalJWKSet, jwtVerify } from "jose";
import type { JWK } from "jose";
import type { Provider } from "oidc-provider";
import { errors } from "oidc-provider";
import type { ProtocolDeps } from "../protocol-deps.ts";

/** The access token that is exchanged. */
export interface SubjectToken {
  readonly sub: string;
  readonly clientID: string;
  readonly audience: string | undefined;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** The thumbprint of the key that it is bound to (RFC 9449, section 6). */
  readonly jkt: string | undefined;
}

/**
 * Reads an access token of this provider, opaque or JWT.
 *
 * @throws `invalid_grant`: it is unknown, expired or none of a user
 */
export async function readSubjectToken(
  provider: Provider,
  deps: Pick<ProtocolDeps, "issuer" | "keys">,
  token: string,
): Promise<SubjectToken> {
  const subject = token.includes(".")
    ? await readJWT(deps, token)
    : await readOpaqueToken(provider, token);
  if (subject !== undefined) return subject;
  throw new errors.InvalidGrant("the subject token is not valid");
}

async function readOpaqueToken(
  provider: Provider,
  token: string,
): Promise<SubjectToken | undefined> {
  const found = await provider.AccessToken.find(token);
  if (found?.accountId === undefined || found.exp === undefined) return undefined;
  const { accountId, clientId, aud, exp, jkt } = found;
  return { sub: accountId, clientID: clientId, audience: aud, expiresAt: exp, jkt };
}

async function readJWT(
  { issuer, keys }: Pick<ProtocolDeps, "issuer" | "keys">,
  token: string,
): Promise<SubjectToken | undefined> {
  const keySet = createLocalJWKSet({ keys: keys.jwks.keys.map(publicKey) });
  try {
    const { payload } = await jwtVerify(token, keySet, { issuer, typ: "at+jwt" });
    const { sub, client_id: clientID, aud, exp, cnf } = payload;
    if (sub === undefined || exp === undefined || typeof clientID !== "string") return undefined;
    const audience = typeof aud === "string" ? aud : undefined;
    return { sub, clientID, audience, expiresAt: exp, jkt: thumbprintOf(cnf) };
  } catch {
    return undefined;
  }
}

function publicKey({ kty = "", kid, use, n, e, crv, x, y }: JWK): JWK {
  const members = Object.entries({ kid, use, n, e, crv, x, y });
  return { kty, ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) };
}

function thumbprintOf(confirmation: unknown): string | undefined {
  if (typeof confirmation !== "object" || confirmation === null) return undefined;
  return "jkt" in confirmation ? String(confirmation.jkt) : undefined;
}
