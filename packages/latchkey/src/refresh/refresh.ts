import type { Context } from "../context.ts";
import { type Reason, reasons } from "../errors/reasons.ts";
import { refusalOf } from "../errors/refusal.ts";
import type { Connection } from "../oidc/connection.ts";
import type { WantedToken } from "../oidc/token-request.ts";
import type { Exchange } from "../request/exchange.ts";
import type { StoredSession } from "../session/session.ts";
import type { RefreshOutcome } from "../telemetry/log-event.ts";

/** A session whose tokens are to be refreshed, for one request. */
export interface Refresh {
  readonly context: Context;
  /** That of the session. */
  readonly connection: Connection;
  readonly exchange: Exchange;
  readonly stored: StoredSession;
  readonly wanted: WantedToken;
  /** Refreshes however good the token at hand is. */
  readonly isForced: boolean;
  /** Monotonic milliseconds. */
  readonly begunAt: number;
  /** How it ended, once reported. */
  readonly reported: Reported;
}

interface Reported {
  outcome?: RefreshOutcome;
  reason?: Reason;
}

/** How a request got the tokens of another one. */
export type SharedOutcome = "shared" | "waited";

/** @param cause - why the refresh token has brought nothing */
export function report(
  { context, stored, begunAt, reported }: Refresh,
  outcome: RefreshOutcome,
  cause?: unknown,
): void {
  const { sub } = stored.data.user;
  const durationMs = Math.round(context.timing.monotonic() - begunAt);
  const { reason, kind, detail } = cause === undefined ? {} : refusalOf(cause);
  const session = stored.header.id;
  Object.assign(reported, { outcome, reason });
  context.log({ event: "refresh", outcome, reason, kind, detail, sub, session, durationMs });
}

/** Logs one event of a refresh, however it ends, and lets telemetry measure it. */
export function observeRefresh<T>(refresh: Refresh, work: () => Promise<T>): Promise<T> {
  const { context, reported, connection } = refresh;
  const end = () => ({ ...reported, status: reported.reason && reasons[reported.reason].status });

  async function reportedWork(): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (reported.outcome === undefined) report(refresh, "transient", error);
      throw error;
    }
  }

  const operation = { kind: "session", name: "refresh", connection: connection.named } as const;
  return context.observer.run(operation, reportedWork, { well: end, badly: end });
}
