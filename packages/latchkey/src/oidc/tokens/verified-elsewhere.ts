import type { JSONObject } from "../../crypto/json-object.ts";
import type { Connection } from "../connection.ts";
import { checkTenant } from "../issuer/tenants.ts";
import { checkOrganization } from "./organization.ts";

/**
 * Whether the claims of an ID token are for a client, and of a user who may sign in. For tokens
 * which another library has verified: signature and times are not looked at.
 */
export function areForClient(connection: Connection, claims: JSONObject): boolean {
  const { clientID, trustedAudiences, issuer } = connection;
  const { iss, aud, azp = clientID } = claims;
  const audiences: readonly unknown[] = [aud].flat();
  const trusted: readonly unknown[] = [clientID, ...trustedAudiences];
  return (
    isSameIssuer(iss, issuer.name) &&
    audiences.includes(clientID) &&
    audiences.every((each) => trusted.includes(each)) &&
    azp === clientID &&
    isAdmitted(connection, claims)
  );
}

/** The setting may lack the slash at the end, which the metadata have. */
function isSameIssuer(issuer: unknown, setting: string): boolean {
  return issuer === setting || issuer === `${setting}/`;
}

function isAdmitted(connection: Connection, claims: JSONObject): boolean {
  try {
    checkOrganization(connection, claims);
    checkTenant(claims, connection);
    return true;
  } catch {
    return false;
  }
}
