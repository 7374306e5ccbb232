import type { JSONObject } from "../../crypto/json-object.ts";
import type { Connection } from "../connection.ts";
import { checkKeptSignIn, checkKnownUser } from "./kept-sign-in.ts";

/** What another library has kept of a sign-in. */
export interface VerifiedElsewhere {
  /** Those of the ID token. */
  readonly claims: JSONObject;
  readonly user: JSONObject;
}

/**
 * Whether an ID token is for a client, and its user and sign-in meet the rules of the connection,
 * as a refresh demands. For tokens which another library has verified: signature and times are not
 * looked at.
 */
export function isAdmittedSignIn(connection: Connection, signIn: VerifiedElsewhere): boolean {
  return isForClient(connection, signIn.claims) && meetsRules(connection, signIn);
}

function isForClient(connection: Connection, claims: JSONObject): boolean {
  const { clientID, trustedAudiences, issuer } = connection;
  const { iss, aud, azp = clientID } = claims;
  const audiences: readonly unknown[] = [aud].flat();
  const trusted: readonly unknown[] = [clientID, ...trustedAudiences];
  return (
    isSameIssuer(iss, issuer.name) &&
    audiences.includes(clientID) &&
    audiences.every((each) => trusted.includes(each)) &&
    azp === clientID
  );
}

/** The setting may lack the slash at the end, which the metadata have. */
function isSameIssuer(issuer: unknown, setting: string): boolean {
  return issuer === setting || issuer === `${setting}/`;
}

function meetsRules(connection: Connection, { claims, user }: VerifiedElsewhere): boolean {
  const { acr } = claims;
  try {
    checkKnownUser(connection, { user, claims });
    checkKeptSignIn(connection, { acr: typeof acr === "string" ? acr : undefined });
    return true;
  } catch {
    return false;
  }
}
