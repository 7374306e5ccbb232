import type { Context } from "../context.ts";
import type { Reason } from "../errors/reasons.ts";
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
