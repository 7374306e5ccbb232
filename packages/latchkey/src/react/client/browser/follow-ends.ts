import type { Clock } from "./clock.ts";

/** What {@link followEnds} needs. */
export interface FollowOptions {
  /** The stream of the server: `Paths.events`. */
  readonly url: string;
  readonly clock: Clock;
  /** Called if the session has ended, or if the server refuses the stream. */
  readonly onEnd: () => void;
}

/** Follows the end of a session until the returned function is called. */
export type Follow = (options: FollowOptions) => () => void;

/** After a refused stream, the next attempt follows this much later. */
const retryMs = 60_000;

/**
 * Listens to the server's stream, which reports the end of the session. One tab of the browser
 * listens for all, since HTTP/1.1 allows six connections to a host. Browsers do not put a listening
 * page into the back/forward cache.
 */
export function followEnds({ url, clock, onEnd }: FollowOptions): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let stop: () => void;

  function listen(): void {
    const source = new EventSource(url, { withCredentials: true });
    const end = (): void => {
      source.close();
      stop = clock.after(retryMs, listen);
      onEnd();
    };
    stop = () => source.close();
    source.addEventListener("message", end);
    source.addEventListener("error", () => {
      // The browser reconnects by itself unless the source is closed.
      if (source.readyState > 1) end();
    });
  }

  const lead = (): Promise<void> => {
    listen();
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(stop()));
    });
  };
  // Without Web Locks no tab leads, and each tab polls. Rejects if the tab leaves before it leads.
  (navigator as Partial<Navigator>).locks?.request(url, { signal }, lead).catch(() => {});
  return () => leaving.abort();
}
