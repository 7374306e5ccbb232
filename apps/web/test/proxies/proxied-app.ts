/** An application behind a proxy, and the web application that signs its users in. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { freePort } from "../../../../packages/latchkey/test/servers/free-port.ts";
import { type RunningApp, runApp } from "../../src/start/running-app.support.ts";
import type { ProxyPorts } from "./example-proxy.ts";

/** What the application behind the proxy has received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
  readonly names: readonly string[];
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

/** The response of the proxy. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** The challenges, one for each line. */
  readonly challenges: readonly string[];
  readonly body: string;
}

export interface ProxiedApp {
  readonly app: RunningApp;
  /** The address that browsers use. */
  readonly url: string;
  readonly received: readonly Received[];
  send(path: string, sent?: Sent): Promise<Answer>;
  /** Ends the web application, while the proxy and the application go on. */
  stopSignIn(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param start starts the proxy, and returns what closes it
 * @param port of the proxy; by default any that is free
 */
export async function startProxiedApp(
  start: (ports: ProxyPorts) => Promise<() => Promise<void>>,
  environment: Readonly<Record<string, string>> = {},
  port?: number,
): Promise<ProxiedApp> {
  const own = port ?? (await freePort());
  const received: Received[] = [];
  const application = createApplication(received);
  await once(application.listen(0, "127.0.0.1"), "listening");
  const url = `http://localhost:${own}`;
  const app = await runApp({
    LATCHKEY_BASE_URL: `${url}/signin`,
    LATCHKEY_CHECK_PORT: "0",
    LATCHKEY_CHECK_RULES: JSON.stringify({
      [`localhost:${own}`]: {
        "/public": "public",
        "/admin": { claim: { groups: "admins" } },
        "OPTIONS /calls": "public",
        "/calls": "signed-in",
      },
    }),
    LATCHKEY_SESSION_STATEFUL: "true",
    LATCHKEY_SESSION_RENEW_AFTER: "0",
    ...environment,
  });
  const closeProxy = await start({
    own,
    latchkey: Number(new URL(app.url).port),
    check: Number(new URL(app.checkURL).port),
    application: (application.address() as AddressInfo).port,
  });
  let isSignInOpen = true;
  const stopSignIn = async () => {
    if (isSignInOpen) await app.close();
    isSignInOpen = false;
  };
  return {
    app,
    url,
    received,
    send: (path, sent) => send(own, path, sent),
    stopSignIn,
    async close() {
      await closeProxy();
      application.close();
      application.closeAllConnections();
      await stopSignIn();
    },
  };
}

/** It accepts any upgrade, as careless servers do. */
function createApplication(received: Received[]) {
  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", url = "", headers, rawHeaders } = incoming;
    const names = rawHeaders.filter((_, index) => index % 2 === 0);
    received.push({ method, url, headers, names, body: await text(incoming) });
    if (url === "/own-401")
      outgoing.writeHead(401, { "WWW-Authenticate": 'Basic realm="own"' }).end("own 401");
    else if (url === "/missing") outgoing.writeHead(404).end("missing");
    else outgoing.writeHead(200, { "Set-Cookie": ["a=1", "b=2"] }).end("the application");
  }
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  server.on("upgrade", (incoming, socket) => {
    const { method = "", url = "", headers, rawHeaders } = incoming;
    received.push({ method, url, headers, names: rawHeaders, body: "" });
    socket.end(
      // The answer to the key of RFC 6455, section 1.3, which HAProxy checks.
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${headers.upgrade}\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n`,
    );
  });
  return server;
}

/** Without the headers that `fetch` adds. */
async function send(
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Sent = {},
): Promise<Answer> {
  const outgoing = request({ port, host: "localhost", path, method, headers, agent: false });
  outgoing.end(body);
  const answered = Promise.race([once(outgoing, "response"), once(outgoing, "upgrade")]);
  const [incoming] = (await answered) as [IncomingMessage];
  const isUpgraded = incoming.statusCode === 101;
  if (isUpgraded) incoming.socket.destroy();
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    challenges: incoming.headersDistinct["www-authenticate"] ?? [],
    body: isUpgraded ? "" : await text(incoming),
  };
}
