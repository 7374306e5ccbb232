import type { Config } from "../config/config.ts";
import type { Connection } from "../oidc/connection.ts";

/** Whether a connection is for a host. Its own address leads to it there. */
export function isAtHost({ hosts }: Connection, { baseURL }: Pick<Config, "baseURL">): boolean {
  return hosts.length === 0 || hosts.includes(new URL(baseURL).host);
}

/** Whether users can choose a connection at a host, or are led to it by an e-mail address. */
export function isOfferedAt(connection: Connection, site: Pick<Config, "baseURL">): boolean {
  const { hidden, domains } = connection;
  return (!hidden || domains.length > 0) && isAtHost(connection, site);
}
