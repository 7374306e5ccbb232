import type { ConnectionSettings } from "../config/config.ts";
import { type Connection, createConnection } from "./connection.ts";
import { createIssuer, type Issuer, type IssuerDeps } from "./issuer/issuer.ts";

/** All connections of the app. Each request chooses its own once. */
export interface Connections {
  readonly all: readonly Connection[];
  /** That of addresses and sessions which name none. */
  readonly default: Connection;
  /** By the header of a session, which is one of ours. */
  ofSession(header: SessionNames): Connection;
  /** By the name of an issuer, which is yet to be verified; `null` for a stranger. */
  ofIssuer(name: string): Promise<Connection | null>;
  /** The issuer of this name: that of a connection, else one for its tokens alone. */
  issuer(name: string): Issuer;
}

interface SessionNames {
  readonly issuer?: string | undefined;
  readonly client?: string | undefined;
}

export function createConnections(settings: ConnectionSettings, deps: IssuerDeps): Connections {
  const openIssuer = (name: string) =>
    createIssuer({ ...settings, issuerBaseURL: name, metadataURL: undefined }, deps);
  return connectionsOf([createConnection(settings, deps)], openIssuer);
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
  const [first] = all;
  if (first === undefined) throw new TypeError("An app needs a connection");
  const byNames = new Map(all.map((each) => [keyOf(each.registration), each]));
  return {
    all,
    default: first,
    ofSession: (names) => byNames.get(keyOf(names)) ?? first,
    async ofIssuer(name) {
      const areNamed = await Promise.all(all.map(({ issuer }) => issuer.isNamed(name)));
      return all.find((_, place) => areNamed[place]) ?? null;
    },
    issuer: (name) => all.find(({ issuer }) => issuer.name === name)?.issuer ?? openIssuer(name),
  };
}

function keyOf({ issuer, client }: SessionNames): string {
  return JSON.stringify([issuer, client]);
}
