/** The marks on the timeline of a session: now, and its ends. */
export type TimelineKind = "now" | "rolling" | "absolute";

/** One mark and its place. */
export interface TimelineMark {
  readonly kind: TimelineKind;
  /** Distance from the start of the line, e.g. `14.3%`. */
  readonly at: string;
}

/** The ends of a session, epoch seconds. */
export interface SessionEnds {
  readonly rollingEndsAt: number | null;
  readonly absoluteEndsAt: number | null;
}

/**
 * The marks of a session's timeline in order, in true distances: the line goes from now to the last
 * end. A rolling end which does not come before the absolute one has no mark.
 *
 * @param now epoch seconds
 */
export function timelineOf(
  { rollingEndsAt, absoluteEndsAt }: SessionEnds,
  now: number,
): readonly TimelineMark[] {
  const last = absoluteEndsAt ?? rollingEndsAt;
  if (last === null) return [];
  const length = Math.max(1, last - now);
  const placed = (kind: TimelineKind, at: number | null): TimelineMark[] =>
    at === null ? [] : [{ kind, at: `${percent(Math.max(0, at - now) / length)}%` }];
  const isOwnEnd = rollingEndsAt !== null && rollingEndsAt < (absoluteEndsAt ?? Infinity);
  return [
    { kind: "now", at: "0%" },
    ...(isOwnEnd ? placed("rolling", rollingEndsAt) : []),
    ...placed("absolute", absoluteEndsAt),
  ];
}

function percent(share: number): number {
  return Math.round(share * 1000) / 10;
}
