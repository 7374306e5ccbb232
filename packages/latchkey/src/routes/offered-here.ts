import type { Config } from "../config/config.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import type { LoginSeal } from "../transaction/login-seal.ts";

/** The connections of the app, and where they are offered. */
export interface Offer {
  readonly connections: Connections;
  readonly config: Pick<Config, "baseURL">;
}

/** The same, with what reads the demands of an access rule. */
export interface DemandedOffer extends Offer {
  readonly signIns: { readonly loginSeal: LoginSeal };
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

/** The ways which a login has because an access rule requires them; all of them if it is empty. */
export function requiredBy(
  offer: DemandedOffer,
  sealed: string | null | undefined,
): Promise<readonly Connection[]> {
  return requiredAt(offer, offer.signIns.loginSeal.open(sealed).stepUp?.connections);
}

/**
 * Those of an access rule with which users can sign in at a host. One that cannot be looked up is
 * left out, unless there is no other.
 */
export async function requiredAt(
  { connections, config }: Offer,
  ids: readonly string[] = [],
): Promise<readonly Connection[]> {
  const all = await Promise.allSettled(ids.map(async (id) => connections.byID(id)));
  const found = all.flatMap((each) => (each.status === "fulfilled" ? (each.value ?? []) : []));
  const here = found.filter((each) => isAtHost(each, config));
  const failed = all.find((each) => each.status === "rejected");
  if (here.length === 0 && failed !== undefined) throw failed.reason;
  return here;
}

/** Whether a connection may be for a host: one that is not in the settings may be looked up. */
export function mayBeAtHost({ connections, config }: Offer, id: string): boolean {
  return connections.all.every((each) => each.id !== id || isAtHost(each, config));
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
