import { type HeaderList, headersInit } from "./headers.ts";

/** A redirect with an empty body: `status` 302, or 303 where the request was no GET. */
export function redirect(location: string, status: 302 | 303, headers: HeaderList = []): Response {
  return answer(null, status, [["Location", location], ...headers]);
}

export function json(body: unknown, status: number, headers: HeaderList = []): Response {
  return typed("application/json; charset=utf-8", JSON.stringify(body), status, headers);
}

export function text(body: string, status: number, headers: HeaderList = []): Response {
  return typed("text/plain; charset=utf-8", body, status, headers);
}

export function html(body: string, status: number, headers: HeaderList = []): Response {
  return typed("text/html; charset=utf-8", body, status, headers);
}

export function empty(status: 200 | 204, headers: HeaderList = []): Response {
  return answer(null, status, headers);
}

function typed(type: string, body: string, status: number, headers: HeaderList): Response {
  return answer(body, status, [["Content-Type", type], ...headers]);
}

function answer(body: string | null, status: number, headers: HeaderList): Response {
  return new Response(body, { status, headers: headersInit(headers) });
}
