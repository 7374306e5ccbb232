import type { Times, WireTimes } from "./session-state.ts";

/** Why the session is about to end, and from when on people should be told. Epoch seconds of the server. */
export interface Warning {
  readonly kind: "idle" | "absolute";
  readonly endsAt: number;
  /** When this warning begins. */
  readonly from: number;
}

export const UNKNOWN_TIMES: Times = {
  rollingEndsAt: null,
  absoluteEndsAt: null,
  endsAt: null,
  rollingDuration: null,
  absoluteDuration: null,
};

/** People are told this many seconds before the absolute end, and again. */
const absoluteWarnings = [600, 120] as const;

/** The server is asked this long before a warning is shown: the session may have been extended elsewhere. */
export const lookAhead = 5;

/** While a rolling end is near, the server is asked this often: any request of the app extends the session. */
const watchEvery = 10;

/** The times with their lengths; a length that the wire does not tell is what it was `before`. */
export function readTimes(wire: WireTimes, before: Times): Times {
  const { rollingEndsAt, absoluteEndsAt, endsAt, createdAt, updatedAt } = wire;
  return {
    rollingEndsAt,
    absoluteEndsAt,
    endsAt,
    rollingDuration: lengthOf(updatedAt, rollingEndsAt, before.rollingDuration),
    absoluteDuration: lengthOf(createdAt, absoluteEndsAt, before.absoluteDuration),
  };
}

function lengthOf(from: number | undefined, to: number | null, before: number | null) {
  if (to === null) return null;
  return from === undefined ? before : to - from;
}

/**
 * Seconds of warning before a rolling end: a tenth of the duration, at least 120 and at most 300;
 * half of the duration where it is so short that the warning would never go away.
 */
export function warnBefore(rollingDuration: number | null): number {
  if (rollingDuration === null) return 120;
  const usual = Math.min(300, Math.max(120, rollingDuration / 10));
  return usual < rollingDuration ? usual : rollingDuration / 2;
}

/** The warning that is due at `now`, also when the end has passed and the server has not confirmed it yet. */
export function warningAt(times: Times, now: number): Warning | null {
  return warnings(times).findLast((warning) => warning.from <= now) ?? null;
}

/**
 * When the server should be asked again, given that it was last heard at `heardAt`: a little before each
 * warning, every few seconds while a rolling end is near, and at the end. `Infinity` when there is no end.
 */
export function nextLookAt(times: Times, heardAt: number): number {
  const marks = [(times.endsAt ?? Infinity) + 1];
  for (const { kind, from } of warnings(times)) {
    const due = heardAt >= from - lookAhead;
    marks.push(due && kind === "idle" ? heardAt + watchEvery : from - lookAhead);
  }
  return Math.min(...marks.filter((mark) => mark > heardAt));
}

/** Of those that are due, the last is the one to show: a rolling end is only listed where it comes first. */
function warnings(times: Times): Warning[] {
  const { rollingEndsAt, absoluteEndsAt, rollingDuration, absoluteDuration } = times;
  const found: Warning[] = [];
  if (absoluteEndsAt !== null) {
    for (const seconds of absoluteWarnings) {
      if (seconds < (absoluteDuration ?? Infinity))
        found.push({ kind: "absolute", endsAt: absoluteEndsAt, from: absoluteEndsAt - seconds });
    }
  }
  if (rollingEndsAt !== null && rollingEndsAt < (absoluteEndsAt ?? Infinity)) {
    const from = rollingEndsAt - warnBefore(rollingDuration);
    found.push({ kind: "idle", endsAt: rollingEndsAt, from });
  }
  return found;
}
