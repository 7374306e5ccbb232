import type { ConnectionStatus } from "../telemetry/telemetry.ts";
import type { Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";

/** So many connections are listed. */
const listedAtMost = 50;

/**
 * Lists connections with the state of their providers, those that have been down for longest first.
 * Empty if the app has one. Makes no call.
 */
export function worstConnections(connections: Connections): readonly ConnectionStatus[] {
  if (connections.default.named === undefined) return [];
  return connections
    .known()
    .map(statusOf)
    .toSorted((one, other) => (other.downMs ?? -1) - (one.downMs ?? -1))
    .slice(0, listedAtMost);
}

function statusOf({ id, issuer }: Connection): ConnectionStatus {
  return { connection: id, issuer: issuer.name, ...issuer.health() };
}
