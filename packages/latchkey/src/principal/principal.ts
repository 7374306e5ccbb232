import type { Identity } from "../config/identity.ts";
import type { Connections } from "../oidc/connections.ts";
import { issuerOfUser } from "../oidc/issuer/tenants.ts";
import { createIdentity } from "../session/create-identity.ts";
import { toSession } from "../session/lifetime.ts";
import { type Claims, scopesOf, type Session, type StoredSession } from "../session/session.ts";

/** Who calls: a user by a session, or a client by an access token. Access rules read it. */
export interface Principal {
  readonly credential: "session" | "access_token";
  /** Of the user, or all of the access token. */
  readonly claims: Claims;
  /** The granted ones. */
  readonly scopes: readonly string[];
  /** Of the ID token or the access token: for an issuer of many tenants that of the tenant. */
  readonly issuer: string;
  /** The id of the connection of a session; `null` for an access token. */
  readonly connection: string | null;
  /** The client that calls: this app for a session; `null` if a token names none. */
  readonly client: string | null;
  /** When the user authenticated at the issuer, in epoch seconds. */
  readonly authTime: number | undefined;
  /** How the user authenticated. */
  readonly acr: string | undefined;
  /** When session or token ends, in epoch seconds. */
  readonly endsAt: number;
  /** As functions of the app see it: the session, or a view of the token. */
  readonly session: Session;
}

/** Returns the user of an active session. */
export function principalOfSession(
  stored: StoredSession,
  { connections }: { readonly connections: Connections },
): Principal {
  const { id, issuer, registration, lifetime } = connections.ofSession(stored.header);
  const session = toSession(stored, lifetime);
  const { authTime, acr } = stored.header;
  return {
    credential: "session",
    claims: session.user,
    scopes: scopesOf(session),
    issuer: issuerOfUser(issuer, session.user),
    connection: id,
    client: registration.client,
    authTime,
    acr,
    endsAt: session.times.endsAt,
    session,
  };
}

/** Returns the identity of a caller; `null` for a token without a `sub`. */
export function identityOfPrincipal({
  issuer,
  claims,
  connection,
}: Pick<Principal, "issuer" | "claims" | "connection">): Identity | null {
  const { sub } = claims;
  return typeof sub === "string" ? createIdentity({ issuer, sub, connection }) : null;
}
