import type { SessionTimes } from "./session-state.ts";
import type { WireTimes } from "./wire.ts";

/** Why the session is about to end, and when to warn; epoch seconds of the server. */
export interface Warning {
  readonly kind: "idle" | "absolute";
  readonly endsAt: number;
  /** When this warning begins. */
  readonly from: number;
}

export const UNKNOWN_TIMES: SessionTimes = {
  rollingEndsAt: null,
  absoluteEndsAt: null,
  endsAt: null,
  rollingDuration: null,
  absoluteDuration: null,
};

/** Seconds before the absolute end of the first and the second warning. */
const absoluteWarnings = [600, 120] as const;

/** The client refetches this many seconds before a warning: the session may have been extended. */
export const confirmAheadSeconds = 5;

/**
 * While a rolling end is near, the client refetches this often: any request of the app extends the
 * session.
 */
const nearEndPollSeconds = 10;

/** Returns the times with their durations. An unknown duration stays as it was `before`. */
export function timesFromWire(wire: WireTimes, before: SessionTimes): SessionTimes {
  const { rollingEndsAt, absoluteEndsAt, endsAt, createdAt, updatedAt } = wire;
  return {
    rollingEndsAt,
    absoluteEndsAt,
    endsAt,
    rollingDuration: durationOf(updatedAt, rollingEndsAt, before.rollingDuration),
    absoluteDuration: durationOf(createdAt, absoluteEndsAt, before.absoluteDuration),
  };
}

/** Returns the times as the server sends them. */
export function timesToWire(times: SessionTimes): WireTimes {
  const { rollingEndsAt, absoluteEndsAt, endsAt, rollingDuration, absoluteDuration } = times;
  const isRolling = rollingEndsAt !== null && rollingDuration !== null;
  const isAbsolute = absoluteEndsAt !== null && absoluteDuration !== null;
  return {
    rollingEndsAt,
    absoluteEndsAt,
    endsAt,
    ...(isAbsolute && { createdAt: absoluteEndsAt - absoluteDuration }),
    ...(isRolling && { updatedAt: rollingEndsAt - rollingDuration }),
  };
}

function durationOf(start: number | undefined, end: number | null, before: number | null) {
  if (end === null) return null;
  return start === undefined ? before : end - start;
}

/**
 * Returns how many seconds before a rolling end to warn: a tenth of the duration, at least 120 and
 * at most 300. If the duration is not longer than this, half of it.
 */
export function idleWarningSeconds(rollingDuration: number | null): number {
  if (rollingDuration === null) return 120;
  const usual = Math.min(300, Math.max(120, rollingDuration / 10));
  return usual < rollingDuration ? usual : rollingDuration / 2;
}

/** Returns the warning due at `now`, also after an end not yet confirmed by the server. */
export function warningAt(times: SessionTimes, now: number): Warning | null {
  return warningsOf(times).findLast((warning) => warning.from <= now) ?? null;
}

/**
 * Returns when to refetch after a response at `lastResponseAt`: shortly before each warning, every
 * few seconds while a rolling end is near, and at the end. `Infinity` if there is no end.
 */
export function nextCheckAt(times: SessionTimes, lastResponseAt: number): number {
  const checks = [(times.endsAt ?? Infinity) + 1];
  for (const { kind, from } of warningsOf(times)) {
    const confirmed = lastResponseAt >= from - confirmAheadSeconds;
    checks.push(
      confirmed && kind === "idle"
        ? lastResponseAt + nearEndPollSeconds
        : from - confirmAheadSeconds,
    );
  }
  return Math.min(...checks.filter((at) => at > lastResponseAt));
}

/**
 * Returns the warnings in order: the last one due is shown. A rolling end counts only if it comes
 * first.
 */
function warningsOf(times: SessionTimes): Warning[] {
  const { rollingEndsAt, absoluteEndsAt, rollingDuration, absoluteDuration } = times;
  const warnings: Warning[] = [];
  if (absoluteEndsAt !== null) {
    for (const seconds of absoluteWarnings) {
      if (seconds < (absoluteDuration ?? Infinity))
        warnings.push({ kind: "absolute", endsAt: absoluteEndsAt, from: absoluteEndsAt - seconds });
    }
  }
  if (rollingEndsAt !== null && rollingEndsAt < (absoluteEndsAt ?? Infinity)) {
    const from = rollingEndsAt - idleWarningSeconds(rollingDuration);
    warnings.push({ kind: "idle", endsAt: rollingEndsAt, from });
  }
  return warnings;
}

/**
 * Returns the server's clock minus the device's. The server sends whole seconds, read at some time
 * between request and response. A known offset within these limits is kept, for an even countdown.
 */
export function clockOffsetOf(
  known: number,
  now: number,
  [requestedAt, respondedAt]: [number, number],
): number {
  const [least, most] = [now - respondedAt / 1000, now + 1 - requestedAt / 1000];
  return least <= known && known <= most ? known : (least + most) / 2;
}
