import type { Config, ConnectionSettings } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import {
  type Client,
  type Connection,
  type ConnectionDeps,
  createClient,
  createConnection,
} from "./connection.ts";
import { createIssuers, type Issuer, type IssuerDeps, placeOfClient } from "./issuer/issuer.ts";

/** All connections of the app. Each request chooses its own once. */
export interface Connections {
  readonly all: readonly Connection[];
  /** That of addresses and sessions which name none. */
  readonly default: Connection;
  /** By the id in a path or in something that we sealed; `null` for an unknown one. */
  byID(id: string): MaybePromise<Connection | null>;
  /**
   * By the names in a session, which may be of a connection that is not there any more: `null`.
   * While a connection cannot be looked up, one without settings stands in for it.
   */
  inSession(header: ConnectionNames): MaybePromise<Connection | null>;
  /**
   * By the header of a session that was admitted.
   *
   * @throws {TypeError} for the name of an unknown one: its sessions are not admitted
   */
  ofSession(header: ConnectionNames): Connection;
  /** By the name of an issuer, which is yet to be verified; `null` for a stranger. */
  ofIssuer(name: string): Promise<Connection | null>;
  /** Whether domains are also found elsewhere than in `all`. */
  readonly looksUpDomains: boolean;
  /** By a domain of email addresses, in its comparable form; `null` for an unclaimed one. */
  ofDomain(domain: string): MaybePromise<Connection | null>;
  /** The issuer of this name: that of a connection, else one for its tokens alone. */
  issuer(name: string): Issuer;
  /** All, and those in memory that were looked up. */
  known(): readonly Connection[];
  /** Looks a connection up again at its next use, if it was looked up. */
  forget(id: string): void;
}

/** What a session says of its connection. */
export interface ConnectionNames {
  readonly issuer?: string | undefined;
  readonly client?: string | undefined;
  /** Absent for `default`. */
  readonly connection?: string | undefined;
}

/** Connections whose settings may be replaced while the app runs. */
export interface ReplaceableConnections extends Connections {
  /** A client that stays keeps its issuer and its limits, and gets its new secrets. */
  replace(settings: Config["connections"]): void;
}

/** @param settings - those of each connection by its id, the default among them */
export function createConnections(
  settings: Config["connections"],
  deps: ConnectionDeps,
): ReplaceableConnections {
  const placeOf: IssuerDeps["placeOf"] = (client) =>
    current.default.named === undefined ? {} : placeOfClient(client);
  const openIssuer = createIssuers({ ...deps, placeOf });
  const open = (name: string) =>
    openIssuer({
      ...settings.default,
      id: undefined,
      issuerBaseURL: name,
      metadataURL: undefined,
    });
  const makeClient = (each: ConnectionSettings) => createClient(each, deps, openIssuer(each));
  let clients = clientsOf(settings, new Map(), makeClient);
  let current = connectionsOf(connectionsWith(settings, clients, deps), open);
  return {
    get all() {
      return current.all;
    },
    get default() {
      return current.default;
    },
    byID: (id) => current.byID(id),
    inSession: (names) => current.inSession(names),
    ofSession: (names) => current.ofSession(names),
    ofIssuer: (name) => current.ofIssuer(name),
    looksUpDomains: false,
    ofDomain: (domain) => current.ofDomain(domain),
    issuer: (name) => current.issuer(name),
    known: () => current.all,
    forget: (id) => current.forget(id),
    replace(next) {
      clients = clientsOf(next, clients, makeClient);
      current = connectionsOf(connectionsWith(next, clients, deps), open);
    },
  };
}

/** A client, and the settings it was made of. */
interface MadeClient {
  readonly key: string;
  readonly client: Client;
}

type Clients = ReadonlyMap<string, MadeClient>;

/** The client of each connection that has one, by its id. One that stays gets its new secrets. */
function clientsOf(
  settings: Config["connections"],
  former: Clients,
  make: (settings: ConnectionSettings) => Client,
): Clients {
  const own = Object.values(settings).filter(({ id, uses }) => uses === id);
  return new Map(
    own.map((each) => {
      const key = clientKey(each);
      const known = former.get(each.id);
      if (known?.key !== key) return [each.id, { key, client: make(each) }];
      const { clientSecret, clientAssertionSigningKey } = each;
      known.client.credentials.replace({ clientSecret, clientAssertionSigningKey });
      return [each.id, known];
    }),
  );
}

function clientKey(settings: ConnectionSettings): string {
  const { issuerBaseURL, metadataURL, tenants, clientID, httpTimeout, clockTolerance } = settings;
  const { responseType, idTokenSigningAlg } = settings;
  const ofClient = [clientID, httpTimeout, clockTolerance, responseType, idTokenSigningAlg];
  return JSON.stringify([issuerBaseURL, metadataURL, tenants, ...ofClient]);
}

function connectionsWith(
  settings: Config["connections"],
  clients: Clients,
  deps: ConnectionDeps,
): readonly Connection[] {
  const all = Object.values(settings);
  const isOneOfSeveral = all.length > 1 || deps.isOneOfSeveral === true;
  return all.map((each) =>
    createConnection(each, { ...deps, isOneOfSeveral }, clients.get(each.uses)?.client),
  );
}

/** The same connections, each of them changed. */
export function mapConnections(
  connections: Connections,
  change: (connection: Connection) => Connection,
): Connections {
  const changed = (found: Connection | null) => found && change(found);
  return {
    ...connections,
    all: connections.all.map(change),
    default: change(connections.default),
    byID(id) {
      const found = connections.byID(id);
      return found instanceof Promise ? found.then(changed) : changed(found);
    },
    ofSession: (header) => change(connections.ofSession(header)),
    ofDomain: async (domain) => changed(await connections.ofDomain(domain)),
    ofIssuer: async (name) => changed(await connections.ofIssuer(name)),
  };
}

/** How many clients are ready before a user needs them, and how many of them at a time. */
const warmedUp = { atMost: 20, atATime: 4 };

/** Fetches the documents of the first issuers before a user needs them; never rejects. */
export async function warmUp({ all }: Connections): Promise<void> {
  const issuers = [...new Set(all.map(({ issuer }) => issuer))].slice(0, warmedUp.atMost).values();
  async function warmUpNext(): Promise<void> {
    for (const issuer of issuers) await issuer.warmUp();
  }
  await Promise.all(Array.from({ length: warmedUp.atATime }, warmUpNext));
}

function connectionsOf(
  all: readonly Connection[],
  openIssuer: (name: string) => Issuer,
): Connections {
  const byID = new Map(all.map((each) => [each.id, each]));
  const byDefault = byID.get(defaultID);
  if (byDefault === undefined) throw new TypeError("An app needs the connection default");
  const byDomain = new Map(all.flatMap((each) => each.domains.map((domain) => [domain, each])));
  return {
    all,
    default: byDefault,
    byID: (id) => byID.get(id) ?? null,
    inSession: ({ connection = defaultID }) => byID.get(connection) ?? null,
    ofSession({ connection = defaultID }) {
      const named = byID.get(connection);
      if (named === undefined)
        throw new TypeError(`A session of an unknown connection, ${connection}`);
      return named;
    },
    async ofIssuer(name) {
      const exact = all.find(({ issuer }) => issuer.name === name);
      if (exact !== undefined) return exact;
      const ofTenants = all.filter(({ issuer }) => issuer.hasTenants);
      const areNamed = await Promise.all(ofTenants.map(({ issuer }) => issuer.isNamed(name)));
      return ofTenants.find((_, place) => areNamed[place]) ?? null;
    },
    looksUpDomains: false,
    ofDomain: (domain) => byDomain.get(domain) ?? null,
    issuer: (name) => all.find(({ issuer }) => issuer.name === name)?.issuer ?? openIssuer(name),
    known: () => all,
    forget: () => undefined,
  };
}
