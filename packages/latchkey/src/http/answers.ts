import type { HeaderList } from "./headers.ts";

/** An answer as values, before the host makes a response of it. */
export interface Answer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** A redirect with an empty body: `status` 302, or 303 where the request was no GET. */
export function redirect(location: string, status: 302 | 303, headers: HeaderList = []): Answer {
  return { status, headers: [["Location", location], ...headers], body: null };
}

export function json(body: unknown, status: number, headers: HeaderList = []): Answer {
  return typed("application/json; charset=utf-8", JSON.stringify(body), { status, headers });
}

export function text(body: string, status: number, headers: HeaderList = []): Answer {
  return typed("text/plain; charset=utf-8", body, { status, headers });
}

export function html(body: string, status: number, headers: HeaderList = []): Answer {
  return typed("text/html; charset=utf-8", body, { status, headers });
}

export function empty(status: 200 | 204, headers: HeaderList = []): Answer {
  return { status, headers, body: null };
}

function typed(type: string, body: string, { status, headers }: Omit<Answer, "body">): Answer {
  return { status, headers: [["Content-Type", type], ...headers], body };
}

/** All headers are given at once: to add them to a response that is there takes several times as long. */
export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers: headersInit(headers) });
}

function headersInit(headers: HeaderList): HeadersInit {
  const cookies = headers.filter(([name]) => name === "Set-Cookie").length;
  return cookies > 1 ? headers.map(([name, value]) => [name, value]) : Object.fromEntries(headers);
}
