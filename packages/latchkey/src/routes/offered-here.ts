import type { Config } from "../config/config.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";

/** Whether a connection is for a host. Its own address leads to it there. */
export function isAtHost({ hosts }: Connection, { baseURL }: Pick<Config, "baseURL">): boolean {
  return hosts.length === 0 || hosts.includes(new URL(baseURL).host);
}

/** Whether users can choose a connection at a host, or are led to it by an e-mail address. */
export function isOfferedAt(connection: Connection, site: Pick<Config, "baseURL">): boolean {
  const { hidden, domains } = connection;
  return (!hidden || domains.length > 0) && isAtHost(connection, site);
}

/** Whether an e-mail address leads to one of the connections here, or to one that is looked up. */
export function takesEmail({ looksUpDomains }: Connections, here: readonly Connection[]): boolean {
  return looksUpDomains || here.some(({ domains }) => domains.length > 0);
}

/** The only way to sign in here; `null` if there are several. */
export function onlyOffered(
  connections: Connections,
  site: Pick<Config, "baseURL">,
): Connection | null {
  const [first, ...others] = connections.all.filter((each) => isOfferedAt(each, site));
  return others.length === 0 && !connections.looksUpDomains ? (first ?? null) : null;
}
