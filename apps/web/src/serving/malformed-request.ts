import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

import type { HeaderList, MaybePromise } from "latchkey";

/** The response to a request whose head is larger than the server accepts. */
export interface OversizedResponse {
  readonly status: number;
  readonly html: string;
  /** Replaces the policy of other responses. */
  readonly policy?: string;
  readonly setCookies: readonly string[];
}

/** What the page for such a request depends on. */
export interface HeadersRead {
  get(name: string): string | null;
}

/** Responds to an unreadable request. Written by hand: Node has no response object for it. */
export async function respondToMalformed(
  socket: Socket,
  error: NodeJS.ErrnoException,
  headers: HeaderList,
  tooLarge: () => MaybePromise<OversizedResponse>,
): Promise<void> {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const response =
    error.code === "HPE_HEADER_OVERFLOW"
      ? await tooLarge()
      : { status: error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400, html: "", setCookies: [] };
  const lines = headersOf(response, headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status, html } = response;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${html}`);
}

/** The connection ends with the response: what follows on it has not been read. */
export function headersOf(
  { html, policy, setCookies }: OversizedResponse,
  headers: HeaderList,
): HeaderList {
  const replaced = policy === undefined ? [] : [["content-security-policy", policy] as const];
  return [
    ...headers.filter(([name]) => replaced.every(([other]) => other !== name.toLowerCase())),
    ...replaced,
    ...setCookies.map((value) => ["Set-Cookie", value] as const),
    ["Content-Type", "text/html; charset=utf-8"],
    ["Content-Length", `${Buffer.byteLength(html)}`],
    ["Cache-Control", "no-store"],
    ["Connection", "close"],
  ];
}
