import { reasons } from "../errors/reasons.ts";
import { refusalOf } from "../errors/refusal.ts";
import type { RefreshOutcome } from "../telemetry/log-event.ts";
import type { Refresh } from "./refresh.ts";

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
