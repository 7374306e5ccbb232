import type { IncomingMessage, ServerResponse } from "node:http";

import { bears } from "./bearer.ts";

/** How the application is, for whoever runs it. */
export type HealthStatus = "starting" | "ready" | "draining";

export interface Health {
  status(): HealthStatus;
  /** What operators may know: no secret, nothing of people. */
  details(): Promise<Readonly<Record<string, unknown>>>;
}

export interface HealthOptions {
  readonly health: Health;
  /** Paths before `/live` and `/ready`. */
  readonly prefixes: readonly string[];
  /** Whoever brings it is told details. */
  readonly token: string | undefined;
}

/** Answers what operators ask; `false` where the request is another. */
export type OperatorListener = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * Answers the probes of an orchestrator: `live` while the event loop turns, `ready` while requests are
 * wanted. Reads no cookie and asks no store: a partner that all instances share must not take all of them out.
 */
export function healthListener({ health, prefixes, token }: HealthOptions): OperatorListener {
  const live = new Set(prefixes.map((prefix) => `${prefix}/live`));
  const ready = new Set(prefixes.map((prefix) => `${prefix}/ready`));

  async function respond(
    code: 200 | 503,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const details = mayKnow(incoming, token) ? await health.details() : {};
    outgoing.writeHead(code, {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
    });
    outgoing.end(`${JSON.stringify({ status: health.status(), ...details })}\n`);
  }

  return (incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?", 1);
    if (live.has(path)) void respond(200, incoming, outgoing);
    else if (ready.has(path))
      void respond(health.status() === "ready" ? 200 : 503, incoming, outgoing);
    else return false;
    return true;
  };
}

/** A request that a proxy on this machine passes on comes from elsewhere. */
function mayKnow({ headers, socket }: IncomingMessage, token: string | undefined): boolean {
  const isPassedOn = "forwarded" in headers || "x-forwarded-for" in headers;
  if (isLoopback(socket.remoteAddress ?? "") && !isPassedOn) return true;
  return token !== undefined && bears(headers, token);
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}
