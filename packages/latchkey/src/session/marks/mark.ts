/** What ended the sessions of a user, or those of one session at the provider. */
export interface Mark {
  /** When it was made, by the clock of its instance; epoch milliseconds. */
  readonly at: number;
  /**
   * When the provider issued the logout token, by its own clock; epoch seconds. Absent for ends of
   * ours.
   */
  readonly issued?: number;
}

/** When a sign-in began: at login, before the user went to the provider. */
export interface SignInTimes {
  /** By the clock of the instance; epoch milliseconds. */
  readonly started: number;
  /** By the provider's clock; epoch seconds. Absent for sessions made elsewhere. */
  readonly issued?: number | undefined;
}

/**
 * Both times are digits: releases before this one read the text as a number, with the provider's
 * time behind the point.
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

/** Whether one mark ends more than another in its place: a logout token may be delivered late. */
export function isNewer(one: Mark, other: Mark): boolean {
  return (timeOf(one) - timeOf(other) || one.at - other.at) > 0;
}

function timeOf({ at, issued }: Mark): number {
  return issued === undefined ? at : issued * 1000;
}

/**
 * Whether a mark ends the session of a sign-in: one that began before it. The provider's clock
 * decides if it has stamped both, within its tolerance of a second. Otherwise the clocks of our
 * instances do, which NTP keeps together.
 *
 * For example, a logout token of 12:00:05 ends a sign-in that began at 12:00:04 by the provider's
 * clock, whatever our clocks show, and none that began at 12:00:06. Of two in 12:00:05, our clocks
 * show which came first.
 */
export function endsSignIn(mark: Mark, { started, issued }: SignInTimes): boolean {
  const isStamped = mark.issued !== undefined && issued !== undefined;
  if (isStamped && mark.issued !== issued) return issued < mark.issued;
  return started < mark.at;
}
