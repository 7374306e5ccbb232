import type { Principal } from "../principal/principal.ts";
import type { AccessToken } from "./jwt.ts";

/** Returns the caller whom an access token names. Functions of the app see it like a session. */
export function principalOfToken({
  claims,
  scopes,
  issuer,
  client,
  expiresAt,
}: AccessToken): Principal {
  const { iat, auth_time: authTime, acr } = claims;
  const start = typeof iat === "number" ? iat : 0;
  const started = { startedAt: start, createdAt: start, updatedAt: start };
  return {
    credential: "access_token",
    claims,
    scopes,
    issuer,
    connection: null,
    client,
    authTime: typeof authTime === "number" ? authTime : undefined,
    acr: typeof acr === "string" ? acr : undefined,
    endsAt: expiresAt,
    session: {
      user: claims,
      accessTokenScope: scopes.join(" "),
      accessTokenExpiresAt: expiresAt,
      times: { ...started, rollingEndsAt: null, absoluteEndsAt: expiresAt, endsAt: expiresAt },
    },
  };
}
