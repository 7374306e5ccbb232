import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";

import type { World, WorldSettings } from "./world.ts";

const clientSecret = "a-client-secret-of-more-than-32-bytes-0123456789";
const event = "http://schemas.openid.net/event/backchannel-logout";

/** A world whose provider signs with the client secret, so that tests can make logout tokens of their own. */
export const withHMAC = {
  provider: { clientSecret, client: { idTokenSigningAlg: "HS256" } },
  options: { idTokenSigningAlg: "HS256" },
} as const satisfies WorldSettings;

/** A logout token as the provider of such a world would make it. */
export function logoutTokenFor(
  { provider }: World,
  subject: { readonly sub?: string; readonly sid?: string },
  jti: string = randomUUID(),
): Promise<string> {
  return new SignJWT({ ...subject, events: { [event]: {} } })
    .setProtectedHeader({ alg: "HS256", typ: "logout+jwt" })
    .setIssuer(provider.issuer)
    .setAudience("latchkey")
    .setJti(jti)
    .setIssuedAt()
    .setExpirationTime("2m")
    .sign(new TextEncoder().encode(clientSecret));
}
