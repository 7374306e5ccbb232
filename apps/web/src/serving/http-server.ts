import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { getRequestListener, RequestError } from "@hono/node-server";
import { andThen, type HeaderList, orElse } from "latchkey";

import { compressPages, type NodeListener } from "./compress-pages.ts";
import type { DirectAnswers } from "./direct-answers.ts";
import { type OversizedPart, oversizedPart, parsedHeaderBytesAtMost } from "./header-limits.ts";
import { respondToMalformed, headersOf, type OversizedResponse } from "./malformed-request.ts";

const headersWithinMs = 15_000;
const requestWithinMs = 30_000;

export interface ServerOptions {
  readonly handler: (request: Request) => Response | Promise<Response>;
  /** Carried by every response, also by those that no handler has made. */
  readonly headers: HeaderList;
  readonly onError: (error: unknown) => void;
  /** Answers what it can by a shorter way than `handler`. */
  readonly direct?: DirectAnswers;
  /** Makes the page for a request whose head is too large; an empty one by default. */
  readonly oversized?: (part: OversizedPart, language: string | null) => OversizedResponse;
}

/** The application as a Node server, not listening yet. */
export function createHTTPServer(options: ServerOptions): Server {
  const { headers, oversized = emptyOversized } = options;
  const answer = compressPages(listenerOf(options));
  const limits = {
    maxHeaderSize: parsedHeaderBytesAtMost,
    headersTimeout: headersWithinMs,
    requestTimeout: requestWithinMs,
    requireHostHeader: false,
  };
  const server = createServer(limits, (incoming, outgoing) => {
    const part = oversizedPart(incoming);
    if (part === undefined) return answer(incoming, outgoing);
    const language = incoming.headers["accept-language"] ?? null;
    return writeOversized(oversized(part, language), outgoing, headers);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
    // Whether address, cookies or headers were too large is not known here: nobody is signed out.
    respondToMalformed(socket, error, headers, () => oversized("headers", null)),
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

function listenerOf({
  handler,
  headers,
  onError,
  direct = () => false,
}: ServerOptions): NodeListener {
  const listener = getRequestListener(handler, {
    errorHandler: (error) => {
      if (error instanceof RequestError) return new Response(null, { status: 400 });
      onError(error);
      return new Response("Something went wrong on our side.", { status: 500 });
    },
  });
  async function answerWhole(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      for (const [name, value] of headers) outgoing.setHeader(name, value);
      await listener(incoming, outgoing);
    } catch (error) {
      // It was half written already, and that cannot be taken back.
      onError(error);
      outgoing.destroy();
    }
  }
  return (incoming, outgoing) => {
    // What fails on the shorter way goes the longer one, which has an answer for it.
    const answered = orElse(
      () => direct(incoming, outgoing),
      () => false,
    );
    void andThen(answered, (isAnswered) =>
      isAnswered ? undefined : answerWhole(incoming, outgoing),
    );
  };
}

/**
 * Listens, and tells the port.
 *
 * @throws Error with one clear sentence where the port cannot be had
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenFault(error, port, host)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function listenFault(error: NodeJS.ErrnoException, port: number, host: string): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new Error(
        `Port ${port} is taken by another program. Stop that one, or choose another port with PORT.`,
      );
    case "EACCES":
      return new Error(
        `Port ${port} is not open to this account. Choose one above 1024 with PORT.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new Error(`${host} is no address of this machine. Change HOST.`);
    default:
      return error;
  }
}
