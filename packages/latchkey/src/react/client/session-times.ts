import type { SessionTimes } from "./session-state.ts";
import type { WireTimes } from "./wire.ts";

/**
 * Why the session is about to end, and from when on people should be told; epoch seconds of the
 * server.
 */
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

/** People are warned this many seconds before the absolute end, and again. */
const absoluteWarnings = [600, 120] as const;

/**
 * The server is asked this many seconds before a warning is shown: the session may have been
 * extended elsewhere.
 */
export const confirmAheadSeconds = 5;

/**
 * While a rolling end is near, the server is asked this often: any request of the app extends the
 * session.
 */
const nearEndPollSeconds = 10;

/**
 * The times with their durations; a duration that the wire does not tell is what it was `before`.
 */
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

function durationOf(start: number | undefined, end: number | null, before: number | null) {
  if (end === null) return null;
  return start === undefined ? before : end - start;
}

/**
 * Seconds of warning before a rolling end: a tenth of the duration, at least 120 and at most 300;
 * half of the duration where it is so short that the warning would always be shown.
 */
export function idleWarningSeconds(rollingDuration: number | null): number {
  if (rollingDuration === null) return 120;
  const usual = Math.min(300, Math.max(120, rollingDuration / 10));
  return usual < rollingDuration ? usual : rollingDuration / 2;
}

/**
 * The warning that is due at `now`, also when the end has passed and the server has not confirmed
 * it yet.
 */
export function warningAt(times: SessionTimes, now: number): Warning | null {
  return warningsOf(times).findLast((warning) => warning.from <= now) ?? null;
}

/**
 * When the server should be asked again after a response at `lastResponseAt`: a little before each
 * warning, every few seconds while a rolling end is near, and at the end. `Infinity` when there is
 * no end.
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
 * In order: the last one that is due is shown. A rolling end is listed only where it comes first.
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
 * The server's clock minus the device's. The server tells whole seconds, of some time between
 * request and response: the known offset is kept as far as that allows, so that a countdown runs
 * evenly.
 */
export function clockOffsetOf(
  known: number,
  now: number,
  [requestedAt, respondedAt]: [number, number],
): number {
  const [least, most] = [now - respondedAt / 1000, now + 1 - requestedAt / 1000];
  return least <= known && known <= most ? known : (least + most) / 2;
}
