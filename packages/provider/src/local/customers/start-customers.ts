import type { RequestListener } from "node:http";
import { appLink } from "../clients.ts";
import { listen } from "../listen.ts";
import { openIssuer, type RunningIssuer } from "../open-issuer.ts";
import type { CustomerEntry } from "../pages/front-page.ts";
import type { ProviderSettings } from "../settings.ts";
import type { RunningProvider } from "../start-provider.ts";
import { checkNames, customerSettings, domainOf, labelOf } from "./customer.ts";

/** What an application sets for the connection to a customer's provider. */
export interface CustomerConnection {
  readonly issuerBaseURL: string;
  readonly clientID: string;
  readonly clientSecret: string;
  readonly label: string;
  readonly domains: readonly string[];
}

/**
 * A local provider with the providers of several customers below its address, each an issuer of its
 * own.
 */
export interface RunningCustomers<Name extends string = string> extends RunningProvider {
  /** Each below the address of its issuer: `http://localhost:4000/acme`. */
  readonly customers: Readonly<Record<Name, RunningIssuer>>;
  /** The setting `connections` of the application. */
  readonly connections: Readonly<Record<Name, CustomerConnection>>;
  /** All settings of the application as variables, but for its own secret and base URL. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Starts the local provider, and plays the provider of each customer beside it. Not for production:
 * anyone can sign in.
 *
 * Each customer has its own issuer, keys, client and users. All share host and port, so an
 * application that compares host names only takes one for the other.
 *
 * @param names ids of connections, such as "acme" and "globex"
 * @param settings those of the local provider; the secrets of customers are derived from
 *   `clientSecret`
 * @throws Error with one sentence about a faulty name, or the server's error when the port is taken
 */
export async function startCustomers<const Name extends string>(
  names: readonly Name[],
  settings: ProviderSettings = {},
): Promise<RunningCustomers<Name>> {
  checkNames(names);
  const server = await listen(settings);
  const { origin, caCertificate } = server;
  const opened = await Promise.all(
    names.map((name, place) =>
      openIssuer(customerSettings(name, place, settings), {
        issuer: `${origin}/${name}`,
        caCertificate,
        customer: labelOf(name),
      }),
    ),
  );
  const running = opened.map((each) => each.running);
  const customers = names.map((name, place) => entryOf(name, running[place]));
  const own = await openIssuer(settings, { issuer: origin, caCertificate, customers });
  const byPath = new Map(names.map((name, place) => [`/${name}`, opened[place]?.listener]));
  server.answerWith(routeByPath(byPath, own.listener));
  const connections = names.map((name, place) => connectionOf(name, running[place]));
  return {
    ...own.running,
    customers: recordOf(names, running),
    connections: recordOf(names, connections),
    variables: variablesOf(own.running, names, connections),
    close: async () => {
      await server.close();
      for (const { close } of [own, ...opened]) close();
    },
  };
}

/** Hands a request to the issuer of its first segment. */
function routeByPath(
  byPath: ReadonlyMap<string, RequestListener | undefined>,
  others: RequestListener,
): RequestListener {
  return (request, response) => {
    const [, path = "", rest = ""] = /^(\/[^/?]*)(.*)$/su.exec(request.url ?? "") ?? [];
    const listener = byPath.get(path);
    if (listener === undefined) return others(request, response);
    request.url = rest.startsWith("/") ? rest : `/${rest}`;
    // oidc-provider makes its addresses with it, as below a router of Express.
    Object.assign(request, { baseUrl: path });
    listener(request, response);
  };
}

function entryOf(name: string, running: RunningIssuer | undefined): CustomerEntry {
  const { issuer = "", clients = [] } = running ?? {};
  return { name: labelOf(name), issuer, apps: clients.map((client) => appLink(client, issuer)) };
}

function connectionOf(name: string, issuer: RunningIssuer | undefined): CustomerConnection {
  const [client] = issuer?.clients ?? [];
  return {
    issuerBaseURL: issuer?.issuer ?? "",
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
    label: labelOf(name),
    domains: [domainOf(name)],
  };
}

function variablesOf(
  { issuer, clients: [client] }: RunningIssuer,
  names: readonly string[],
  connections: readonly CustomerConnection[],
): Readonly<Record<string, string>> {
  const own = connections.flatMap((connection, place) => {
    const start = `LATCHKEY_CONNECTION_${names[place]?.toUpperCase().replaceAll("-", "_")}`;
    return [
      [`${start}_ISSUER_BASE_URL`, connection.issuerBaseURL],
      [`${start}_CLIENT_ID`, connection.clientID],
      [`${start}_CLIENT_SECRET`, connection.clientSecret],
      [`${start}_LABEL`, connection.label],
      [`${start}_DOMAINS`, connection.domains.join(" ")],
    ];
  });
  return Object.fromEntries([
    ["LATCHKEY_ISSUER_BASE_URL", issuer],
    ["LATCHKEY_CLIENT_ID", client?.id ?? ""],
    ["LATCHKEY_CLIENT_SECRET", client?.secret ?? ""],
    ["LATCHKEY_LABEL", "the local provider"],
    ["LATCHKEY_CONNECTIONS", names.join(" ")],
    ["LATCHKEY_IDENTITY", "issuer+sub"],
    ...own,
  ]);
}

function recordOf<Name extends string, Value>(
  names: readonly Name[],
  values: readonly Value[],
): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name, place) => [name, values[place]])) as Record<
    Name,
    Value
  >;
}
