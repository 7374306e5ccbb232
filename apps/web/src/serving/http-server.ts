import { createServer, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

import type { HeaderList } from "latchkey";

import { compressPages, type NodeListener } from "./compress-pages.ts";
import { type OversizedPart, oversizedPart, parsedHeaderBytesAtMost } from "./header-limits.ts";
import type { OperatorListener } from "./operators/health.ts";
import { headersOf, type OversizedResponse, respondToMalformed } from "./malformed-request.ts";

const headersWithinMs = 15_000;
const requestWithinMs = 30_000;
/**
 * Balancers keep connections for 60 s, as a rule. One that we close first may be used once more at that moment: then its
 * request is lost, and the balancer answers 502.
 */
const keptForMs = 75_000;

export interface ServerOptions {
  /** Answers operators, before anything else is asked. */
  readonly respondToOperator?: OperatorListener;
  readonly listener: NodeListener;
  /** Carried by every response, also by those that the listener does not make. */
  readonly headers: HeaderList;
  /** Makes the page for a request whose head is too large; an empty one by default. */
  readonly oversized?: (part: OversizedPart, language: string | null) => OversizedResponse;
}

/** The application as a Node server, not listening yet. The options may change while it listens. */
export function createHTTPServer(options: ServerOptions): Server {
  const respond = compressPages((incoming, outgoing) => options.listener(incoming, outgoing));
  const oversized: Required<ServerOptions>["oversized"] = (...request) =>
    (options.oversized ?? emptyOversized)(...request);
  const limits = {
    maxHeaderSize: parsedHeaderBytesAtMost,
    headersTimeout: headersWithinMs,
    requestTimeout: requestWithinMs,
    keepAliveTimeout: keptForMs,
    requireHostHeader: false,
  };
  const server = createServer(limits, (incoming, outgoing) => {
    const part = oversizedPart(incoming);
    if (part !== undefined) {
      const language = incoming.headers["accept-language"] ?? null;
      writeOversized(oversized(part, language), outgoing, options.headers);
      return;
    }
    for (const [name, value] of options.headers) outgoing.setHeader(name, value);
    if (options.respondToOperator?.(incoming, outgoing) === true) return;
    respond(incoming, outgoing);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
    // Whether address, cookies or headers were too large is not known here: nobody is signed out.
    respondToMalformed(socket, error, options.headers, () => oversized("headers", null)),
  );
  return server;
}

function emptyOversized(part: OversizedPart): OversizedResponse {
  return { status: part === "address" ? 414 : 431, html: "", setCookies: [] };
}

function writeOversized(
  response: OversizedResponse,
  outgoing: ServerResponse,
  headers: HeaderList,
): void {
  outgoing.writeHead(response.status, headersOf(response, headers).flat());
  outgoing.end(response.html);
}

/**
 * Listens, and tells the port.
 *
 * @throws Error with one clear sentence where the port cannot be had
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
