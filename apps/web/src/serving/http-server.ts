import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";

import { getRequestListener, RequestError } from "@hono/node-server";
import { andThen, type HeaderList, orElse } from "latchkey";

import type { OverflowAnswer } from "../pages/problem/cookie-overflow.ts";
import type { DirectAnswers } from "./direct-answers.ts";

/** A session of many cookies must never lock its owner out: Node's own limit is 16 KiB. */
const headerBytesAtMost = 64 * 1024;
const headersWithinMs = 15_000;
const requestWithinMs = 30_000;

interface ServerOptions {
  readonly handler: (request: Request) => Response | Promise<Response>;
  /** Carried by every answer, also by those that no handler has made. */
  readonly headers: HeaderList;
  readonly onError: (error: unknown) => void;
  /** Answers what it can by a shorter way than `handler`. */
  readonly direct?: DirectAnswers;
  /** Answers headers beyond all measure with a page. */
  readonly overflow?: () => OverflowAnswer;
}

/** The app as a Node server, not listening yet. */
export function createHTTPServer(options: ServerOptions): Server {
  const { handler, headers, onError, overflow, direct = () => false } = options;
  const listener = getRequestListener(handler, {
    errorHandler: (error) => {
      if (error instanceof RequestError) return new Response(null, { status: 400 });
      onError(error);
      return new Response("Something went wrong on our side.", { status: 500 });
    },
  });
  const limits = {
    maxHeaderSize: headerBytesAtMost,
    headersTimeout: headersWithinMs,
    requestTimeout: requestWithinMs,
    requireHostHeader: false,
  };
  const server = createServer(limits, (request, response) => {
    // What fails on the shorter way goes the longer one, which has an answer for it.
    const answered = orElse(
      () => direct(request, response),
      () => false,
    );
    void andThen(answered, (isAnswered) =>
      isAnswered ? undefined : answerWhole(request, response),
    );
  });
  async function answerWhole(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      for (const [name, value] of headers) response.setHeader(name, value);
      await listener(request, response);
    } catch (error) {
      // It was half written already, and that cannot be taken back.
      onError(error);
      response.destroy();
    }
  }
  const malformed = malformedAnswers(headers, overflow);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable) return socket.destroy();
    return socket.end(malformed(statusOf(error)));
  });
  return server;
}

function statusOf({ code }: NodeJS.ErrnoException): number {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}

/** Answers to what is no HTTP, written by hand because no response object exists for it. */
function malformedAnswers(
  headers: HeaderList,
  overflow: ServerOptions["overflow"],
): (status: number) => string {
  return (status) => {
    const { html = "", setCookies = [] } = status === 431 ? (overflow?.() ?? {}) : {};
    const lines = [
      ...headers,
      ...setCookies.map((value) => ["Set-Cookie", value]),
      ["Content-Type", "text/html; charset=utf-8"],
      ["Content-Length", `${Buffer.byteLength(html)}`],
      ["Cache-Control", "no-store"],
      ["Connection", "close"],
    ].map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${html}`;
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
