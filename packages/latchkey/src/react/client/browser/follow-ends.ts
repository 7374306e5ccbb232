import type { Clock } from "./clock.ts";

/** What following the end of a session needs to know. */
export interface FollowOptions {
  readonly url: string;
  readonly clock: Clock;
  /** Whether there is a session whose end can be told. */
  readonly isWanted: () => boolean;
  /** The server says that the session has ended, or does not let this browser listen. */
  readonly onEnd: () => void;
}

/** Follows the end of a session; the function that it returns ends that. */
export type Follow = (options: FollowOptions) => () => void;

/** Where streams are refused, another try follows so much later; until then the tab asks as without them. */
const againMs = 60_000;
/** While nobody is known to be signed in, a tab looks this often: the page may not have asked yet. */
const lookMs = 1_000;

/**
 * Follows the stream of the server that tells the end of the session, in one tab of the browser at a time: a browser
 * has six connections to a host over HTTP/1.1, for all tabs together. Browsers keep a page that does so out of the
 * back/forward cache.
 */
export function followEnds({ url, clock, isWanted, onEnd }: FollowOptions): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let stop: () => void;

  function listenAfter(delayMs: number): void {
    stop = clock.after(delayMs, listen);
  }

  function listen(): void {
    if (!isWanted()) return listenAfter(lookMs);
    const source = new EventSource(url);
    const end = (): void => {
      source.close();
      listenAfter(againMs);
      onEnd();
    };
    stop = () => source.close();
    source.addEventListener("message", end);
    source.addEventListener("error", () => {
      // Closed: not a lost connection, after which the browser comes back by itself.
      if (source.readyState > 1) end();
    });
  }

  const lead = (): Promise<void> => {
    listen();
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(stop()));
    });
  };
  // Without Web Locks no tab leads, and each asks every minute only. Rejects where the tab leaves before it has led.
  (navigator as Partial<Navigator>).locks?.request(url, { signal }, lead).catch(() => {});
  return () => leaving.abort();
}
