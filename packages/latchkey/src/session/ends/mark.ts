/** What ended the sessions of a user, or those of one session at the provider. */
export interface Mark {
  /** When it was made, by the clock of whoever made it; epoch milliseconds. */
  readonly at: number;
  /** When the provider issued the logout token, by its own clock; epoch seconds. Absent where we ended them. */
  readonly issued?: number;
}

/** When a sign-in happened, by our clocks and by that of the provider. */
export interface SignInTimes {
  /** When it was started (login, not callback); epoch milliseconds, by the clock that saw it. */
  readonly started: number;
  /** When the provider issued the ID token; epoch seconds, by the provider's clock. */
  readonly issued?: number | undefined;
  /** How long it took until then, in milliseconds; absent where one instance saw the start and another the end. */
  readonly took?: number | undefined;
  /** When the callback made the session; epoch seconds, by the clock of its instance. */
  readonly created?: number | undefined;
}

/**
 * Both times are digits, so that releases before this one read the text as a number, with the provider's time
 * behind the point.
 */
export function formatMark({ at, issued }: Mark): string {
  const ours = `${Math.trunc(at)}`;
  return issued === undefined ? ours : `${ours}.${`${Math.trunc(issued)}`.padStart(10, "0")}`;
}

/** `null` for anything else. */
export function parseMark(text: string): Mark | null {
  const [, at, behindPoint] = /^(\d{1,15})(?:\.(\d+))?$/.exec(text) ?? [];
  if (at === undefined) return null;
  return behindPoint === undefined || behindPoint.length < 10
    ? { at: Number(text) }
    : { at: Number(at), issued: Number(behindPoint) };
}

/** Whether one mark ends more than another that lies in its place: a logout token may be delivered late. */
export function isNewer(one: Mark, other: Mark): boolean {
  return (timeOf(one) - timeOf(other) || one.at - other.at) > 0;
}

function timeOf({ at, issued }: Mark): number {
  return issued === undefined ? at : issued * 1000;
}

/** A clock that differs by less from another one counts as right: so long a callback may wait for the provider. */
export const rightClockMs = 10_000;

/**
 * When a sign-in was started. The provider has issued the ID token shortly before the session was made: where that does
 * not fit, the clock of the instance was wrong, and the provider's counts.
 */
function startedAt({ started, issued, took, created }: SignInTimes): number {
  if (issued === undefined || created === undefined) return started;
  const aheadMs = (created - issued) * 1000;
  const corrected = Math.abs(aheadMs) < rightClockMs ? started : started - aheadMs;
  // Another instance saw the start: that came no later than the second in which the ID token was issued.
  return took === undefined ? Math.min(corrected, issued * 1000 + 999) : corrected;
}

/** Clocks that differ by less tell which of two moments came first. */
const agreementMs = 2000;

/**
 * Whether a mark ends the session of a sign-in: one that was started before it.
 *
 * Clocks of instances differ, so what counts is the provider's clock, which has stamped both the ID token and the
 * logout token. It counts in seconds: within one second our own clocks tell, where they agree.
 */
export function endsSignIn(mark: Mark, times: SignInTimes): boolean {
  const { started, issued, took } = times;
  if (mark.issued === undefined || issued === undefined) return startedAt(times) < mark.at;
  const isBefore = started < mark.at;
  if (issued < mark.issued) return true;
  const secondMs = mark.issued * 1000;
  if (took === undefined) {
    const apartMs = Math.max(started - issued * 1000, secondMs - mark.at);
    return issued === mark.issued && (isBefore || apartMs > agreementMs);
  }
  const startMs = issued * 1000 - took;
  if (Math.abs(startMs - secondMs) >= 1000) return startMs < secondMs;
  const apartMs = Math.abs(started - startMs - (mark.at - secondMs));
  return apartMs < agreementMs ? isBefore : issued === mark.issued;
}
