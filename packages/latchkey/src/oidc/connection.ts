import type { ConnectionSettings } from "../config/config.ts";
import { sha256 } from "../crypto/digest.ts";
import { type InForce, inForce } from "../crypto/in-force.ts";
import { type RunChecks, runChecks } from "./checks/check.ts";
import { createIssuer, type Issuer, type IssuerDeps } from "./issuer/issuer.ts";
import { createRefreshLimits, type RefreshLimits } from "./issuer/outages/refresh-limits.ts";

/** What a client proves itself with. */
export type ClientCredentials = Pick<
  ConnectionSettings,
  "clientSecret" | "clientAssertionSigningKey"
>;

/** The settings that only the issuer needs. */
type OfIssuer = "issuerBaseURL" | "metadataURL" | "httpTimeout";

/**
 * With whom users sign in: one client at one issuer, and what we request of it. Some have a client
 * in common: issuer, credentials and limits are the same values then.
 */
export interface Connection extends Omit<ConnectionSettings, keyof ClientCredentials | OfIssuer> {
  /** Its id where it is named, in addresses and events; `undefined` if an app has no other. */
  readonly named: string | undefined;
  readonly issuer: Issuer;
  readonly credentials: InForce<ClientCredentials>;
  /** For whom ID tokens are: a user belongs to an issuer and a client (RFC 7519, section 2). */
  readonly registration: { readonly issuer: string; readonly client: string };
  readonly refreshLimits: RefreshLimits;
  /** Epoch milliseconds, for what the client signs. */
  readonly clock: IssuerDeps["clock"];
  /** Runs the checks of tokens and responses. The inspector notes them in passing. */
  readonly check: RunChecks;
}

/** What connections with the same client have in common. */
export type Client = Pick<Connection, "issuer" | "credentials" | "refreshLimits" | "clock">;

export interface ConnectionDeps extends IssuerDeps {
  /** Whether the app has others. */
  readonly isOneOfSeveral?: boolean;
}

/** @param client - that of another connection; one of its own by default */
export function createConnection(
  settings: ConnectionSettings,
  deps: ConnectionDeps,
  client: Client = createClient(settings, deps, createIssuer(settings, deps)),
): Connection {
  const {
    issuerBaseURL,
    clientSecret: _secret,
    clientAssertionSigningKey: _key,
    ...others
  } = settings;
  const { issuer, credentials, refreshLimits, clock } = client;
  return {
    ...others,
    named: deps.isOneOfSeveral === true ? settings.id : undefined,
    issuer,
    credentials,
    registration: { issuer: issuerBaseURL, client: settings.clientID },
    refreshLimits,
    clock,
    check: runChecks,
  };
}

export function createClient(
  { clientSecret, clientAssertionSigningKey }: ClientCredentials,
  deps: IssuerDeps,
  issuer: Issuer,
): Client {
  return {
    issuer,
    credentials: inForce({ clientSecret, clientAssertionSigningKey }),
    refreshLimits: createRefreshLimits(deps),
    clock: deps.clock,
  };
}

/** Stands for the client of a connection, and changes with it; no secret. */
export function clientTag({ registration: { issuer, client } }: Connection): string {
  return sha256(JSON.stringify([issuer, client])).slice(0, 16);
}

/** The same issuer for another client, which proves itself with a secret. */
export function asClient(
  connection: Connection,
  {
    clientID,
    clientSecret,
  }: { readonly clientID: string; readonly clientSecret: string | undefined },
): Connection {
  return {
    ...connection,
    clientID,
    clientAuthMethod: undefined,
    credentials: inForce({ clientSecret, clientAssertionSigningKey: undefined }),
    registration: { issuer: connection.issuer.name, client: clientID },
  };
}
