import type { RequestListener } from "node:http";
import { appLink, clientsOf } from "./clients.ts";
import { createProtocol } from "./configuration.ts";
import { loadKeys } from "./keys.ts";
import type { AppSession } from "./logout/app-sessions.ts";
import { appSessions, forgetSessions } from "./logout/app-sessions.ts";
import type { LogoutDelivery } from "./logout/back-channel.ts";
import { announceLogout } from "./logout/back-channel.ts";
import { finishLogout } from "./logout/finish-logout.ts";
import type { LogoutSubject } from "./logout/logout-token.ts";
import type { CustomerEntry } from "./pages/front-page.ts";
import { portraitPath } from "./users/portrait.ts";
import type { User } from "./users/sample-users.ts";
import { sampleUsers } from "./users/sample-users.ts";
import type { LoggedRequest } from "./request-log.ts";
import { logRequest } from "./request-log.ts";
import { createRouter } from "./router.ts";
import type { ClientSettings, ProviderSettings } from "./settings.ts";
import { openStorage } from "./storage.ts";

/** One issuer of a running local provider. */
export interface RunningIssuer {
  /** Without a trailing slash: `http://localhost:4000`. */
  readonly issuer: string;
  /** The same address, to open in a browser. */
  readonly url: string;
  /** The certificate for clients to trust, in PEM; undefined without `https`. */
  readonly caCertificate: string | undefined;
  readonly clients: readonly ClientSettings[];
  readonly users: readonly User[];
  /**
   * Every request since the start or the last `clearRequests`, in the order of the responses. Their
   * paths are those below the issuer.
   */
  readonly requests: readonly LoggedRequest[];
  clearRequests(): void;
  /** The sessions of all users at all applications of this issuer. */
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
}

/** The address of an issuer, and its part among several. */
export interface IssuerPlace {
  readonly issuer: string;
  readonly caCertificate: string | undefined;
  /** The name of the customer that it plays, for its pages. */
  readonly customer?: string;
  /** The customers below its address, for its front page. Default: none. */
  readonly customers?: readonly CustomerEntry[];
}

interface OpenedIssuer {
  readonly running: RunningIssuer;
  /** Answers requests, whose URLs are those below the issuer. */
  readonly listener: RequestListener;
  readonly close: () => void;
}

/** Opens an issuer with its own clients, users, keys and storage. */
export async function openIssuer(
  settings: ProviderSettings,
  { issuer, caCertificate, customer, customers = [] }: IssuerPlace,
): Promise<OpenedIssuer> {
  const requests: LoggedRequest[] = [];
  let isDown = false;
  const clients = clientsOf(settings);
  const users = withPictures(settings.users ?? sampleUsers, issuer);
  const keys = await loadKeys(settings.dataFolder);
  const storage = openStorage(settings.dataFolder);
  const protocol = createProtocol({ issuer, customer, settings, clients, users, keys, storage });
  protocol.use(finishLogout({ issuer, customer, caCertificate, clients }));
  protocol.on("server_error", (_context, error) => settings.onFault?.(error));
  const apps = clients.map((client) => appLink(client, issuer));
  const { onFault } = settings;
  const route = createRouter({ protocol, issuer, customer, customers, apps, users, onFault });
  return {
    listener: (request, response) => {
      if (isDown) return void request.socket.destroy();
      response.once("finish", () => logRequest(requests, request, response));
      route(request, response);
    },
    running: {
      issuer,
      url: issuer,
      caCertificate,
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
    },
    close: () => storage.close(),
  };
}

function withPictures(users: readonly User[], issuer: string): readonly User[] {
  return users.map((person) => ({
    ...person,
    picture: person.picture ?? issuer + portraitPath(person),
  }));
}
