import type { ServerResponse } from "node:http";

/** Status, headers and body of a response. */
export interface ResponseParts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What can go wrong with a response. */
export type Fault =
  /** The server accepts the connection and never responds. */
  | { readonly kind: "hang" }
  /** Status and headers, then nothing. */
  | { readonly kind: "silence-after-headers" }
  /** The good response, one byte a second. */
  | { readonly kind: "slow" }
  /** The server resets the connection. */
  | { readonly kind: "reset" }
  /** Another response replaces the good one. */
  | { readonly kind: "replace"; readonly response: ResponseParts }
  /** The good response is changed. */
  | { readonly kind: "mangle"; readonly mangle: (good: ResponseParts) => ResponseParts }
  /** A redirect to the same path at the stranger, which logs its requests. */
  | { readonly kind: "redirect"; readonly status: 301 | 302 | 303 | 307 | 308 };

/** A JSON response without caching. */
export function json(value: unknown, status = 200): ResponseParts {
  return {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
    body: JSON.stringify(value) ?? "",
  };
}

/** An OAuth error response (RFC 6749, section 5.2). */
export function oauthError(error: string, description: string, status = 400): ResponseParts {
  return json({ error, error_description: description }, status);
}

export function send(response: ServerResponse, { status, headers, body }: ResponseParts): void {
  response.writeHead(status, headers).end(body);
}

export function sendFaulty(
  response: ServerResponse,
  fault: Fault,
  good: ResponseParts,
  redirectTo: string,
): void {
  switch (fault.kind) {
    case "hang":
      return;
    case "silence-after-headers":
      response.writeHead(good.status, good.headers).flushHeaders();
      return;
    case "slow":
      return drip(response, good);
    case "reset":
      response.destroy();
      return;
    case "replace":
      return send(response, fault.response);
    case "mangle":
      return send(response, fault.mangle(good));
    case "redirect":
      response.writeHead(fault.status, { Location: redirectTo }).end();
  }
}

function drip(response: ServerResponse, { status, headers, body }: ResponseParts): void {
  const bytes = Buffer.from(body);
  let sent = 0;
  response.writeHead(status, headers).flushHeaders();
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + 1));
    sent += 1;
    if (sent >= bytes.length) response.end();
  }, 1000);
  response.once("close", () => clearInterval(timer));
}
