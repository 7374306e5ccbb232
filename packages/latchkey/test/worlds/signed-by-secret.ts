import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";

import type { World, WorldSettings } from "./world.ts";

export const clientSecret = "a-client-secret-of-more-than-32-bytes-0123456789";
const event = "http://schemas.openid.net/event/backchannel-logout";

/** A world whose provider signs with the client secret, so tests can create its tokens. */
export const withHMAC = {
  provider: { clientSecret, client: { idTokenSigningAlg: "HS256" } },
  options: { idTokenSigningAlg: "HS256" },
} as const satisfies WorldSettings;

/** A logout token as the provider of such a world would make it. */
export function logoutTokenFor(
  { provider }: World,
  subject: { readonly sub?: string; readonly sid?: string; readonly iat?: number },
  jti: string = randomUUID(),
): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.issuer, aud: "latchkey", iat, exp: iat + 120, jti };
  return new SignJWT({ ...claims, ...subject, events: { [event]: {} } })
    .setProtectedHeader({ alg: "HS256", typ: "logout+jwt" })
    .sign(new TextEncoder().encode(clientSecret));
}
