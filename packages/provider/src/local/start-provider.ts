import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";
import { startLoopbackServer } from "../http/loopback-server.ts";
import { selfSignedCertificate } from "../http/self-signed-certificate.ts";
import type { AppSession } from "./logout/app-sessions.ts";
import { appSessions, forgetSessions } from "./logout/app-sessions.ts";
import type { LogoutDelivery } from "./logout/back-channel.ts";
import { announceLogout } from "./logout/back-channel.ts";
import { clientsOf } from "./clients.ts";
import { makeEngine } from "./configuration.ts";
import { finishLogout } from "./logout/finish-logout.ts";
import { loadKeys } from "./keys.ts";
import type { LogoutSubject } from "./logout/logout-token.ts";
import { frontPage } from "./pages/front-page.ts";
import { sendPage } from "./pages/send-page.ts";
import type { Person } from "./people/sample-people.ts";
import { samplePeople } from "./people/sample-people.ts";
import { portrait } from "./people/portrait.ts";
import type { ClientSettings, ProviderSettings } from "./settings.ts";
import { signIn } from "./sign-in.ts";
import { openStorage } from "./storage.ts";

/** One request that the provider answered. */
export interface AnsweredRequest {
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly status: number;
}

/** A local provider that is listening. */
export interface RunningProvider {
  /** The issuer, without a trailing slash: `http://localhost:4000`, or https. */
  readonly issuer: string;
  /** The same address, to open in a browser. */
  readonly url: string;
  /** With https the certificate, in PEM, that a client has to trust; else undefined. */
  readonly caCertificate: string | undefined;
  readonly clients: readonly ClientSettings[];
  readonly people: readonly Person[];
  /** Every request since the start or the last `clearRequests`, in the order of the answers. */
  readonly requests: readonly AnsweredRequest[];
  clearRequests(): void;
  /** Who is signed in to which application through this provider. */
  sessions(): readonly AppSession[];
  /** Sends logout tokens with exactly this subject to every application; ends nothing here. */
  backchannelLogout(subject: LogoutSubject): Promise<readonly LogoutDelivery[]>;
  /**
   * Ends sessions as an administrator would: they, their grants and tokens are forgotten here, and
   * a logout token with `sub` and `sid` goes to each application.
   *
   * @param sub whose sessions; everybody's without it.
   */
  endSessions(sub?: string): Promise<readonly LogoutDelivery[]>;
  close(): Promise<void>;
}

const keptRequests = 5000;

/**
 * Starts the local OpenID provider on localhost. Not for production: anyone can sign in.
 *
 * @throws the server's error when the port is taken (`code` `EADDRINUSE`).
 */
export async function startProvider(settings: ProviderSettings = {}): Promise<RunningProvider> {
  const requests: AnsweredRequest[] = [];
  let answer: RequestListener = notReady;
  const certificate = settings.https ? selfSignedCertificate() : undefined;
  const server = await startLoopbackServer(
    (request, response) => {
      response.once("finish", () => logRequest(requests, request, response));
      answer(request, response);
    },
    { port: settings.port, certificate },
  );
  const issuer = server.origin;
  const clients = clientsOf(settings);
  const people = withPictures(settings.people ?? samplePeople, issuer);
  const keys = await loadKeys(settings.dataFolder);
  const storage = openStorage(settings.dataFolder);
  const engine = makeEngine({ issuer, settings, clients, people, keys, storage });
  engine.use(finishLogout(issuer, certificate?.cert));
  engine.on("server_error", (_context, error) => settings.onFault?.(error));
  answer = router(engine, issuer, clients, people, settings);
  return {
    issuer,
    url: issuer,
    caCertificate: certificate?.cert,
    clients,
    people,
    requests,
    clearRequests: () => void requests.splice(0),
    sessions: () => appSessions(storage),
    backchannelLogout: (subject) => announceLogout(issuer, keys, clients, subject),
    endSessions: async (sub) => {
      const ended = await forgetSessions(storage, sub);
      const deliveries = ended.map(({ clientID, ...subject }) => {
        const client = clients.filter(({ id }) => id === clientID);
        return announceLogout(issuer, keys, client, subject);
      });
      return (await Promise.all(deliveries)).flat();
    },
    close: async () => {
      await server.close();
      storage.close();
    },
  };
}

function notReady(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503).end();
}

/** Our own pages first; everything else is the protocol's. */
function router(
  engine: Provider,
  issuer: string,
  clients: readonly ClientSettings[],
  people: readonly Person[],
  settings: ProviderSettings,
): RequestListener {
  const protocol = engine.callback();
  return (request, response) => {
    const path = pathOf(request);
    const person = people.find(({ sub }) => path === `/people/${sub}.svg`);
    if (person !== undefined) return sendPortrait(response, person);
    if (path === "/") return sendPage(response, 200, frontPage(issuer, appLinks(issuer, clients)));
    if (!path.startsWith("/interaction/")) return protocol(request, response);
    signIn(engine, people, request, response).catch((error: unknown) => {
      settings.onFault?.(error instanceof Error ? error : new Error(String(error)));
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  };
}

function appLinks(
  issuer: string,
  clients: readonly ClientSettings[],
): { name: string; startURL: string | undefined }[] {
  return clients.map(({ id, name, initiateLoginURI }) => {
    if (initiateLoginURI === undefined) return { name: name ?? id, startURL: undefined };
    const startURL = new URL(initiateLoginURI);
    startURL.searchParams.set("iss", issuer);
    return { name: name ?? id, startURL: startURL.href };
  });
}

function withPictures(people: readonly Person[], issuer: string): readonly Person[] {
  return people.map((person) => ({
    ...person,
    picture: person.picture ?? `${issuer}/people/${encodeURIComponent(person.sub)}.svg`,
  }));
}

function sendPortrait(response: ServerResponse, person: Person): void {
  response
    .writeHead(200, {
      "Content-Type": "image/svg+xml; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
      "Content-Security-Policy": "default-src 'none'",
      "Cross-Origin-Resource-Policy": "cross-origin",
    })
    .end(portrait(person.name));
}

function logRequest(
  log: AnsweredRequest[],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  log.push({
    time: Date.now(),
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    status: response.statusCode,
  });
  if (log.length > keptRequests) log.splice(0, log.length - keptRequests);
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?")[0] ?? "/";
}
