import type { RequestListener } from "node:http";
import { appLink } from "../clients.ts";
import { listen } from "../listen.ts";
import { openIssuer, type RunningIssuer } from "../open-issuer.ts";
import { customersPage } from "../pages/customers-page.ts";
import { sendPage } from "../pages/send-page.ts";
import { isOwnHost, refuseHost } from "../own-host.ts";
import type { ProviderSettings } from "../settings.ts";
import { chooseSpeech } from "../words/speech.ts";
import { checkNames, customerSettings, domainOf, labelOf } from "./customer.ts";

/** What an application sets for the connection to a customer's provider. */
export interface CustomerConnection {
  readonly issuerBaseURL: string;
  readonly clientID: string;
  readonly clientSecret: string;
  readonly label: string;
  readonly domains: readonly string[];
}

/** Several customers, each with an issuer of its own, played by one local provider. */
export interface RunningCustomers<Name extends string = string> {
  /** A page with all customers: `http://localhost:4000`. */
  readonly url: string;
  /** Each below the address of its issuer: `http://localhost:4000/acme`. */
  readonly customers: Readonly<Record<Name, RunningIssuer>>;
  /** The setting `connections` of the application. */
  readonly connections: Readonly<Record<Name, CustomerConnection>>;
  /** The same as environment variables, without the application's own secret and base URL. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Plays the provider of each customer on localhost. Not for production: anyone can sign in.
 *
 * Each customer has its own issuer, keys, client and users. All share host and port, so an
 * application that compares host names only takes one for the other.
 *
 * @param names ids of connections, such as "acme" and "globex"
 * @param settings for all of them; the secrets of clients are derived from `clientSecret`
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
  const byPath = new Map(names.map((name, place) => [`/${name}`, opened[place]?.listener]));
  server.answerWith(routeByPath(byPath, frontOf(names, running, origin)));
  const connections = names.map((name, place) => connectionOf(name, running[place]));
  return {
    url: origin,
    customers: recordOf(names, running),
    connections: recordOf(names, connections),
    variables: variablesOf(names, connections),
    close: async () => {
      await server.close();
      for (const { close } of opened) close();
    },
  };
}

/** Hands a request to the issuer of its first segment. */
function routeByPath(
  byPath: ReadonlyMap<string, RequestListener | undefined>,
  respondByFront: RequestListener,
): RequestListener {
  return (request, response) => {
    const [, path = "", rest = ""] = /^(\/[^/?]*)(.*)$/su.exec(request.url ?? "") ?? [];
    const listener = byPath.get(path);
    if (listener === undefined) return respondByFront(request, response);
    request.url = rest.startsWith("/") ? rest : `/${rest}`;
    // oidc-provider makes its addresses with it, as below a router of Express.
    Object.assign(request, { baseUrl: path });
    listener(request, response);
  };
}

function frontOf(
  names: readonly string[],
  running: readonly RunningIssuer[],
  origin: string,
): RequestListener {
  const customers = running.map(({ issuer, clients }, place) => ({
    name: labelOf(names[place] ?? ""),
    issuer,
    apps: clients.map((client) => appLink(client, issuer)),
  }));
  const { host } = new URL(origin);
  return (request, response) => {
    if (!isOwnHost(request.headers.host, host)) return refuseHost(response);
    const speech = chooseSpeech({ acceptLanguage: request.headers["accept-language"] });
    const isFront = (request.url ?? "/").split("?")[0] === "/";
    sendPage(response, isFront ? 200 : 404, customersPage(speech, customers));
  };
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
