/** Where and with whom something happens. Empty in an app with one connection and one base URL. */
export interface Place {
  /** The id of the connection, if there are several. */
  readonly connection?: string | undefined;
  /** The issuer of the connection, if there are several. */
  readonly issuer?: string | undefined;
  /** The client ID of the connection, if there are several. */
  readonly clientID?: string | undefined;
  /** The host of the base URL, with a port that is not the usual one, if there are several. */
  readonly host?: string | undefined;
}

/** The same with bounded values, for labels of metrics: see {@link createLabels}. */
export interface Labels extends Pick<Place, "connection" | "host"> {}

/** What the labels of an app may name. */
export interface LabelNames {
  /** The connections of the settings, without those which are looked up. */
  readonly connections: () => readonly { readonly id: string }[];
  /** The hosts of the base URLs. */
  readonly hosts: readonly string[];
}

/** So many connections, and so many hosts, have a label of their own. */
const labelsAtMost = 50;
const others = "other";
const noLabels: Labels = {};

/**
 * Returns a function for the labels of a place. The first 50 connections and the first 50 hosts of
 * the settings stand for themselves; all others, looked up or matched by a star, are `other`:
 * neither customers nor strangers add series without end.
 */
export function createLabels({ connections, hosts }: LabelNames): (place: Place) => Labels {
  const ownHosts = new Set(hosts.slice(0, labelsAtMost));
  let labelled: ReturnType<LabelNames["connections"]> | undefined;
  let ids: ReadonlySet<string> = new Set();

  /** Connections may be replaced while the app runs. */
  function connectionLabel(id: string): string {
    const current = connections();
    if (current !== labelled) {
      labelled = current;
      ids = new Set(current.slice(0, labelsAtMost).map((each) => each.id));
    }
    return ids.has(id) ? id : others;
  }

  return ({ connection, host }) => {
    if (connection === undefined && host === undefined) return noLabels;
    return {
      ...(connection !== undefined && { connection: connectionLabel(connection) }),
      ...(host !== undefined && { host: ownHosts.has(host) ? host : others }),
    };
  };
}
