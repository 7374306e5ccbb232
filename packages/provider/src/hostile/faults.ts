import type { ServerResponse } from "node:http";

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What can go wrong with an answer on its way. */
export type Fault =
  /** The connection is taken and never answered. */
  | { readonly kind: "hang" }
  /** Status and headers, then nothing. */
  | { readonly kind: "silence-after-headers" }
  /** The good answer, one byte a second. */
  | { readonly kind: "slow" }
  /** The connection breaks off. */
  | { readonly kind: "reset" }
  /** Another answer in place of the good one. */
  | { readonly kind: "answer"; readonly answer: Answer }
  /** The good answer, changed. */
  | { readonly kind: "mangle"; readonly mangle: (good: Answer) => Answer }
  /** A redirect to the same path at another host, which notes what arrives. */
  | { readonly kind: "redirect"; readonly status: 301 | 302 | 303 | 307 | 308 };

/** A JSON answer that nobody may keep. */
export function json(value: unknown, status = 200): Answer {
  return {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
    body: JSON.stringify(value) ?? "",
  };
}

/** An OAuth error answer (RFC 6749, section 5.2). */
export function oauthError(error: string, description: string, status = 400): Answer {
  return json({ error, error_description: description }, status);
}

export function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

/** Sends an answer with a fault. */
export function sendFaulty(
  response: ServerResponse,
  fault: Fault,
  good: Answer,
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
    case "answer":
      return send(response, fault.answer);
    case "mangle":
      return send(response, fault.mangle(good));
    case "redirect":
      response.writeHead(fault.status, { Location: redirectTo }).end();
  }
}

function drip(response: ServerResponse, { status, headers, body }: Answer): void {
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
