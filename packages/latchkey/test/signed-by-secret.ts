import { randomUUID } from "node:crypto";
import { decodeJwt, SignJWT } from "jose";

import type { World, WorldSettings } from "./world.ts";

export const clientSecret = "a-client-secret-of-more-than-32-bytes-0123456789";
const event = "http://schemas.openid.net/event/backchannel-logout";

/** A world whose provider signs with the client secret, so that tests can make its tokens. */
export const withHMAC = {
  provider: { clientSecret, client: { idTokenSigningAlg: "HS256" } },
  options: { idTokenSigningAlg: "HS256" },
} as const satisfies WorldSettings;

/** A token of such a provider with other claims; those that are `undefined` are left out. */
export function changedToken(token: unknown, changes: object): Promise<string> {
  return signed({ ...decodeJwt(String(token)), ...changes });
}

/** A logout token as the provider of such a world would make it. */
export function logoutTokenFor(
  { provider }: World,
  subject: { readonly sub?: string; readonly sid?: string },
  jti: string = randomUUID(),
): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.issuer, aud: "latchkey", iat, exp: iat + 120, jti };
  return signed({ ...subject, ...claims, events: { [event]: {} } }, "logout+jwt");
}

function signed(claims: object, typ = "JWT"): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: "HS256", typ })
    .sign(new TextEncoder().encode(clientSecret));
}
