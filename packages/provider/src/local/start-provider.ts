import type { RequestListener, ServerResponse } from "node:http";
import { startLoopbackServer } from "../http/loopback-server.ts";
import { createCertificate } from "../http/certificate.ts";
import { appLink, clientsOf } from "./clients.ts";
import { createProtocol } from "./configuration.ts";
import { loadKeys } from "./keys.ts";
import type { AppSession } from "./logout/app-sessions.ts";
import { appSessions, forgetSessions } from "./logout/app-sessions.ts";
import type { LogoutDelivery } from "./logout/back-channel.ts";
import { announceLogout } from "./logout/back-channel.ts";
import { finishLogout } from "./logout/finish-logout.ts";
import type { LogoutSubject } from "./logout/logout-token.ts";
import { portraitPath } from "./users/portrait.ts";
import type { User } from "./users/sample-users.ts";
import { sampleUsers } from "./users/sample-users.ts";
import type { LoggedRequest } from "./request-log.ts";
import { logRequest } from "./request-log.ts";
import { createRouter } from "./router.ts";
import type { ClientSettings, ProviderSettings } from "./settings.ts";
import { openStorage } from "./storage.ts";

/** A running local provider. */
export interface RunningProvider {
  /** The issuer, without a trailing slash: `http://localhost:4000`. */
  readonly issuer: string;
  /** The same address, to open in a browser. */
  readonly url: string;
  /** The certificate for clients to trust, in PEM; undefined without `https`. */
  readonly caCertificate: string | undefined;
  readonly clients: readonly ClientSettings[];
  readonly users: readonly User[];
  /** Every request since the start or the last `clearRequests`, in the order of the responses. */
  readonly requests: readonly LoggedRequest[];
  clearRequests(): void;
  /** The sessions of all users at all applications of this provider. */
  sessions(): readonly AppSession[];
  /** Sends a logout token with exactly this subject to each application. No session ends here. */
  backchannelLogout(subject: LogoutSubject): Promise<readonly LogoutDelivery[]>;
  /**
   * Ends sessions as an administrator would: deletes them with their grants and tokens, and sends a
   * logout token with `sub` and `sid` to each application.
   *
   * @param sub whose sessions end. Default: all sessions.
   */
  endSessions(sub?: string): Promise<readonly LogoutDelivery[]>;
  /** While it is down, it breaks every connection off without a response. */
  setDown(down: boolean): void;
  close(): Promise<void>;
}

/**
 * Starts the local OpenID provider on localhost. Not for production: anyone can sign in.
 *
 * @throws the server's error when the port is taken (`code` `EADDRINUSE`).
 */
export async function startProvider(settings: ProviderSettings = {}): Promise<RunningProvider> {
  const requests: LoggedRequest[] = [];
  let listener: RequestListener = refuse;
  let isDown = false;
  const { https = false } = settings;
  const certificate = https === true ? await createCertificate() : https || undefined;
  const server = await startLoopbackServer(
    (request, response) => {
      if (isDown) return void request.socket.destroy();
      response.once("finish", () => logRequest(requests, request, response));
      listener(request, response);
    },
    { port: settings.port, certificate },
  );
  const issuer = server.origin;
  const clients = clientsOf(settings);
  const users = withPictures(settings.users ?? sampleUsers, issuer);
  const keys = await loadKeys(settings.dataFolder);
  const storage = openStorage(settings.dataFolder);
  const protocol = createProtocol({ issuer, settings, clients, users, keys, storage });
  protocol.use(finishLogout({ origin: issuer, caCertificate: certificate?.cert, clients }));
  protocol.on("server_error", (_context, error) => settings.onFault?.(error));
  const apps = clients.map((client) => appLink(client, issuer));
  listener = createRouter({ protocol, issuer, apps, users, onFault: settings.onFault });
  return {
    issuer,
    url: issuer,
    caCertificate: certificate?.cert,
    clients,
    users,
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
    setDown: (down) => void (isDown = down),
    close: async () => {
      await server.close();
      storage.close();
    },
  };
}

/** The port is known before the provider is ready, since the issuer contains it. */
function refuse(_request: unknown, response: ServerResponse): void {
  response.writeHead(503).end();
}

function withPictures(users: readonly User[], issuer: string): readonly User[] {
  return users.map((person) => ({
    ...person,
    picture: person.picture ?? issuer + portraitPath(person),
  }));
}
