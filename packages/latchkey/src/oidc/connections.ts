import type { Config, ConnectionSettings } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import { type Connection, createConnection } from "./connection.ts";
import { createIssuer, type Issuer, type IssuerDeps } from "./issuer/issuer.ts";

/** All connections of the app. Each request chooses its own once. */
export interface Connections {
  readonly all: readonly Connection[];
  /** That of addresses and sessions which name none. */
  readonly default: Connection;
  /** By the id in a path or in something that we sealed; `null` for an unknown one. */
  byID(id: string): MaybePromise<Connection | null>;
  /**
   * By the header of a session that was admitted.
   *
   * @throws {TypeError} for the name of an unknown one: its sessions are not admitted
   */
  ofSession(header: SessionNames): Connection;
  /** By the name of an issuer, which is yet to be verified; `null` for a stranger. */
  ofIssuer(name: string): Promise<Connection | null>;
  /** The issuer of this name: that of a connection, else one for its tokens alone. */
  issuer(name: string): Issuer;
}

interface SessionNames {
  readonly issuer?: string | undefined;
  readonly client?: string | undefined;
  /** Absent for `default`. */
  readonly connection?: string | undefined;
}

/** @param settings - those of each connection by its id, the default among them */
export function createConnections(settings: Config["connections"], deps: IssuerDeps): Connections {
  const all = Object.values(settings);
  const made = new Map<string, Connection>();
  const isOneOfSeveral = all.length > 1;
  const make = (each: ConnectionSettings) =>
    void made.set(
      each.id,
      createConnection(each, { ...deps, isOneOfSeveral }, made.get(each.uses)),
    );
  for (const each of all.filter(({ id, uses }) => uses === id)) make(each);
  for (const each of all.filter(({ id, uses }) => uses !== id)) make(each);
  return connectionsOf(
    all.flatMap(({ id }) => made.get(id) ?? []),
    (name) =>
      createIssuer({ ...settings.default, issuerBaseURL: name, metadataURL: undefined }, deps),
  );
}

/** The same connections, each of them changed. */
export function mapConnections(
  connections: Connections,
  change: (connection: Connection) => Connection,
): Connections {
  return connectionsOf(connections.all.map(change), connections.issuer);
}

function connectionsOf(
  all: readonly Connection[],
  openIssuer: (name: string) => Issuer,
): Connections {
  const byID = new Map(all.map((each) => [each.id, each]));
  const byDefault = byID.get(defaultID);
  if (byDefault === undefined) throw new TypeError("An app needs the connection default");
  return {
    all,
    default: byDefault,
    byID: (id) => byID.get(id) ?? null,
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
    issuer: (name) => all.find(({ issuer }) => issuer.name === name)?.issuer ?? openIssuer(name),
  };
}
