/** The mark on a session that ends later, unless whoever asked for that takes it back until then. */
export interface LaterEnd {
  /** When the session ends, in epoch seconds. */
  readonly at: number;
  /** Id of the session that asked for it: that one alone may take it back. */
  readonly by: string;
}

/** Releases before this one take any mark on a session for its end: to them it ends immediately. */
export function formatLaterEnd({ at, by }: LaterEnd): string {
  return `later ${at} ${by}`;
}

/** `null` for any other mark: that one counts now. */
export function parseLaterEnd(text: string): LaterEnd | null {
  const found = /^later (\d{1,12}) ([\w-]+)$/.exec(text);
  if (found === null) return null;
  const [, at, by = ""] = found;
  return { at: Number(at), by };
}
