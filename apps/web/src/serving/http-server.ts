import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import type { HeaderList, MaybePromise } from "latchkey";

import { type OversizedPart, oversizedPart, parsedHeaderBytesAtMost } from "./header-limits.ts";
import {
  type HeadersRead,
  headersOf,
  type OversizedResponse,
  respondToMalformed,
} from "./malformed-request.ts";

const limits = {
  maxHeaderSize: parsedHeaderBytesAtMost,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  /**
   * Balancers usually keep connections for 60 s. If the server closes one first, a balancer may
   * send a request on it at that moment, lose it, and respond with 502.
   */
  keepAliveTimeout: 75_000,
  requireHostHeader: false,
};

/** Responds to one Web request, e.g. the `fetch` of a Hono app. */
export type FetchHandler = (request: Request, env: HttpBindings) => Response | Promise<Response>;

export interface ServerOptions {
  readonly fetch: FetchHandler;
  /** Headers of every response, including those to requests that cannot be parsed. */
  readonly headers: HeaderList;
  /** Renders the page for a request whose head is too large; an empty one by default. */
  readonly oversized?: (
    part: OversizedPart,
    headers: HeadersRead,
  ) => MaybePromise<OversizedResponse>;
}

/**
 * Creates the Node server of an app, not listening yet. The options may change while it listens.
 */
export function createHTTPServer(options: ServerOptions): Server {
  const oversized: Required<ServerOptions>["oversized"] = (...request) =>
    (options.oversized ?? emptyOversized)(...request);
  const server = createAdaptorServer({
    fetch(request, bindings) {
      const env = bindings as HttpBindings;
      const part = oversizedPart(env.incoming);
      if (part === undefined) return options.fetch(request, env);
      return respondToOversized(oversized(part, request.headers));
    },
    serverOptions: limits,
  }) as Server;
  server.prependListener("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // HTTP/1.0 has no Host header, and health checks of balancers use it.
    if (incoming.httpVersion === "1.0") incoming.headers.host ??= "localhost";
    for (const [name, value] of options.headers) outgoing.setHeader(name, value);
  });
  server.on(
    "clientError",
    (error: NodeJS.ErrnoException, socket: Socket) =>
      // The parser does not report which part was too large: no cookie is cleared.
      void respondToMalformed(socket, error, options.headers, () =>
        oversized("headers", noHeaders),
      ),
  );
  return server;
}

const noHeaders: HeadersRead = { get: () => null };

function emptyOversized(part: OversizedPart): OversizedResponse {
  return { status: part === "address" ? 414 : 431, html: "", setCookies: [] };
}

async function respondToOversized(making: MaybePromise<OversizedResponse>): Promise<Response> {
  const response = await making;
  const headers = headersOf(response, []).map(([name, value]): [string, string] => [name, value]);
  return new Response(response.html, { status: response.status, headers });
}

/**
 * Listens, and resolves with the port.
 *
 * @throws Error with one clear sentence if the port is not available
 */
export function listen(
  server: Server,
  port: number,
  host: string,
  portVariable = "PORT",
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(listenFault(error, { port, host, portVariable })),
    );
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

interface ListenPlace {
  readonly port: number;
  readonly host: string;
  readonly portVariable: string;
}

function listenFault(
  error: NodeJS.ErrnoException,
  { port, host, portVariable }: ListenPlace,
): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new Error(
        `Port ${port} is taken by another program. Stop that one, or choose another port with ${portVariable}.`,
      );
    case "EACCES":
      return new Error(
        `Port ${port} is not open to this account. Choose one above 1024 with ${portVariable}.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new Error(`${host} is no address of this machine. Change HOST.`);
    default:
      return error;
  }
}
