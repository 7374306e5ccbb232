import type { ReadConnection } from "../config/config.ts";
import { Refusal } from "../errors/refusal.ts";
import { type Connection, createConnection } from "./connection.ts";
import type { ConnectionNames } from "./connections.ts";
import type { IssuerDeps } from "./issuer/issuer.ts";
import { anyTenant, isAddressOfTenants } from "./issuer/tenants.ts";

interface StandInDeps extends IssuerDeps {
  readonly readConnection: ReadConnection;
}

/**
 * Makes the connection of a session whose settings cannot be had now: it has the names that the
 * session holds and default rules, so its users stay the same. Use moves no end of the session, and
 * each call to its provider fails with `connection_unavailable`.
 */
export function createStandIn(
  { connection: id = "", issuer = "", client }: ConnectionNames,
  { readConnection, ...deps }: StandInDeps,
): Connection {
  const clientSecret = "is looked up later";
  const tenants = isAddressOfTenants(issuer) ? [anyTenant] : undefined;
  const names = { issuerBaseURL: issuer, clientID: client, clientSecret, tenants };
  const settings = readConnection(id, names);
  const fetch = () =>
    Promise.reject(new Refusal("connection_unavailable", { retryAfterSeconds: 1 }));
  const lifetime = { ...settings.lifetime, endsAsWritten: true } as const;
  return createConnection({ ...settings, lifetime }, { ...deps, fetch });
}
