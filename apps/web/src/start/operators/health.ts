import type { Context } from "hono";

import { bears } from "./bearer.ts";
import type { OperatorApp, OperatorEnv } from "./operator-apps.ts";

/** The state of the application, for operators. */
export type HealthStatus = "starting" | "ready" | "draining";

export interface Health {
  status(): HealthStatus;
  /** What operators may know: no secret, nothing about users. */
  details(): Promise<Readonly<Record<string, unknown>>>;
}

export interface HealthOptions {
  readonly health: Health;
  /** Paths before `/live` and `/ready`. */
  readonly prefixes: readonly string[];
  /** A request with this token gets details. */
  readonly token: string | undefined;
  /** Whether a request from this machine gets details, too: no proxy may stand in front. */
  readonly trustsLoopback: boolean;
}

/**
 * Adds the probes of an orchestrator: `live` while the event loop turns, `ready` while requests are
 * wanted. They read no cookie and no store: a fault of a shared store must not take all instances
 * out.
 */
export function addHealth(app: OperatorApp, { health, prefixes, ...access }: HealthOptions): void {
  async function respond(context: Context<OperatorEnv>, code: 200 | 503): Promise<Response> {
    const details = maySeeDetails(context, access) ? await health.details() : {};
    const body = { status: health.status(), ...details };
    return context.json(body, code, { "Cache-Control": "no-store" });
  }
  for (const prefix of prefixes) {
    app.get(`${prefix}/live`, (context) => respond(context, 200));
    app.get(`${prefix}/ready`, (context) =>
      respond(context, health.status() === "ready" ? 200 : 503),
    );
  }
}

function maySeeDetails(
  { env: { incoming } }: Context<OperatorEnv>,
  { token, trustsLoopback }: Pick<HealthOptions, "token" | "trustsLoopback">,
): boolean {
  const { headers, socket } = incoming;
  if (token !== undefined && bears(headers, token)) return true;
  const isForwarded = "forwarded" in headers || "x-forwarded-for" in headers;
  return trustsLoopback && !isForwarded && isLoopback(socket.remoteAddress ?? "");
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}
