import type { Identity } from "../config/identity.ts";
import { createIdentity } from "../session/session-handle.ts";
import type { Principal } from "./principal.ts";

/** Returns the identity of a caller; `null` for a token without a `sub`. */
export function identityOfPrincipal({
  issuer,
  claims,
  connection,
}: Pick<Principal, "issuer" | "claims" | "connection">): Identity | null {
  const { sub } = claims;
  return typeof sub === "string" ? createIdentity({ issuer, sub, connection }) : null;
}
