import type { Config } from "../config/config.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Parameters } from "../http/parameters.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import type { Exchange } from "../request/exchange.ts";
import { foundSession, type SessionResult } from "../session/read-session.ts";

interface WantedConnection {
  /** That of the address; `null` if it names none. */
  readonly named: Connection | null;
  readonly parameters: Parameters;
}

/** The page on which users choose a connection, below the base path. */
export function chooserPath({ pagesPrefix }: Pick<Config, "pagesPrefix">): string {
  return `${pagesPrefix}/sign-in`;
}

/**
 * Chooses the connection of a login: that of its address, that of the issuer which a third party
 * names, the only one offered here, or that of the session which has ended or has to prove more.
 *
 * @returns `null` if the user chooses
 * @throws {Refusal} `foreign_issuer`: only issuers of ours count, any other one would be an open
 *   redirect
 */
export async function chooseConnection(
  { config, connections }: { readonly config: Config; readonly connections: Connections },
  exchange: Exchange,
  { named, parameters }: WantedConnection,
): Promise<Connection | null> {
  const issuer = parameters.get("iss");
  if (named !== null) return issuer === undefined ? named : checkIssuer(named, issuer);
  if (issuer !== undefined) return ofIssuer(connections, issuer);
  const [first, ...others] = connections.all.filter((each) => isOfferedAt(each, config));
  if (first !== undefined && others.length === 0) return first;
  const isForSession = ["stepUp", "prompt", "restart"].some((name) => parameters.has(name));
  return ofSession(connections, await exchange.read().catch(() => null), { isForSession });
}

async function checkIssuer(connection: Connection, issuer: string): Promise<Connection> {
  if (await connection.issuer.isNamed(issuer)) return connection;
  throw new Refusal("foreign_issuer");
}

async function ofIssuer(connections: Connections, issuer: string): Promise<Connection> {
  const connection = await connections.ofIssuer(issuer);
  if (connection === null) throw new Refusal("foreign_issuer");
  return connection;
}

/** Whether a connection is for a host. Its own address leads to it there. */
export function isAtHost({ hosts }: Connection, { baseURL }: Pick<Config, "baseURL">): boolean {
  return hosts.length === 0 || hosts.includes(new URL(baseURL).host);
}

/** Whether users can choose a connection at a host, or are led to it by an e-mail address. */
export function isOfferedAt(connection: Connection, site: Pick<Config, "baseURL">): boolean {
  const { hidden, domains } = connection;
  return (!hidden || domains.length > 0) && isAtHost(connection, site);
}

/** That of a session that has ended, or that the login is about. */
function ofSession(
  connections: Connections,
  result: SessionResult | null,
  { isForSession }: { readonly isForSession: boolean },
): Connection | null {
  const stored = result && foundSession(result);
  if (stored === null || (result?.state === "active" && !isForSession)) return null;
  return connections.ofSession(stored.header);
}
