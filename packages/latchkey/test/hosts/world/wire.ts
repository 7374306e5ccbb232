import { connect, type Socket } from "node:net";

export interface WireRequest {
  /** Default `GET`. */
  readonly method?: string;
  /** The request target (RFC 9112, section 3.2), sent as it is. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Sends the body in the chunked transfer coding, without its length in advance. */
  readonly chunked?: boolean;
  /** Closes our side after the body, like a client which gives up half way. */
  readonly giveUp?: boolean;
}

/** A response as it came over the socket. `status` is 0 if the server closed without one. */
export interface WireResponse {
  readonly status: number;
  /** The words behind the status. */
  readonly reason: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly setCookies: readonly string[];
  readonly body: string;
  /** All values of a header, joined; `null` if there is none. */
  header(name: string): string | null;
}

/** It ends only what hangs. */
const patienceMs = 60_000;

/**
 * Sends a request byte for byte over its own socket, and reads until the response is complete or
 * the server closes it.
 *
 * @throws {Error} if the request gets no response
 */
export async function sendRequest(origin: string, request: WireRequest): Promise<WireResponse> {
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  return parse(await exchange(socket, bytesOf(host, request), request));
}

function bytesOf(host: string, { method = "GET", target, headers, body, chunked }: WireRequest) {
  const bytes = Buffer.from(body ?? "");
  const size = bytes.length.toString(16);
  const length = body === undefined ? {} : { "content-length": `${bytes.length}` };
  const framing = chunked === true ? { "transfer-encoding": "chunked" } : length;
  const given = Object.keys(headers ?? {}).map((name) => name.toLowerCase());
  const own = Object.entries({ host, connection: "close", ...framing });
  const lines = [
    ...own.filter(([name]) => !given.includes(name)),
    ...Object.entries(headers ?? {}),
  ];
  const fields = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${fields}\r\n`, "latin1");
  return chunked === true
    ? Buffer.concat([head, Buffer.from(`${size}\r\n`), bytes, Buffer.from("\r\n0\r\n\r\n")])
    : Buffer.concat([head, bytes]);
}

function exchange(socket: Socket, bytes: Buffer, request: WireRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.setEncoding("latin1");
    socket.setTimeout(patienceMs, () => socket.destroy(new Error("The server does not respond.")));
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (isComplete(text, request)) socket.destroy();
    });
    socket.on("close", () => resolve(text));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server may close on a refused body while we still send it.
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
    });
    if (request.giveUp === true) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** Not every server closes on request. */
function isComplete(text: string, { method }: WireRequest): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1 || text.startsWith("HTTP/1.1 1")) return false;
  const head = text.slice(0, end);
  const rest = text.slice(end + 4);
  if (method === "HEAD" || /^HTTP\/1.1 (?:204|304) /.test(head)) return true;
  if (/^transfer-encoding: *chunked/im.test(head)) return /(?:^|\r\n)0\r\n\r\n$/.test(rest);
  const [, length] = /^content-length: *(\d+)/im.exec(head) ?? [];
  return length !== undefined && rest.length >= Number(length);
}

function parse(text: string): WireResponse {
  const end = text.indexOf("\r\n\r\n");
  // An informational response comes before the final one (RFC 9110, section 15.2).
  if (/^HTTP\/1.1 1\d\d /.test(text)) return parse(text.slice(end + 4));
  const [statusLine = "", ...lines] = (end === -1 ? text : text.slice(0, end)).split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const valuesOf = (name: string) =>
    headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
  const rest = end === -1 ? "" : text.slice(end + 4);
  return {
    status: Number(statusLine.split(" ")[1] ?? 0),
    reason: statusLine.split(" ").slice(2).join(" "),
    headers,
    setCookies: valuesOf("set-cookie"),
    body: valuesOf("transfer-encoding").includes("chunked") ? unchunked(rest) : rest,
    header: (name) => valuesOf(name.toLowerCase()).join(", ") || null,
  };
}

/** Chunked transfer coding (RFC 9112, section 7.1), without extensions and trailers. */
function unchunked(text: string): string {
  let body = "";
  let at = 0;
  for (;;) {
    const lineEnd = text.indexOf("\r\n", at);
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (lineEnd === -1 || !(size > 0)) return body;
    body += text.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
  }
}
