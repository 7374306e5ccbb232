import { deviceClock } from "./browser/clock.ts";
import type { Claims } from "./claims.ts";
import type { Paths } from "./paths.ts";
import {
  createSessionClient,
  type SessionClient,
  type SessionClientOptions,
} from "./session-client.ts";
import type { InitialSession, SessionTimes } from "./session-state.ts";
import { timesFromWire, timesToWire, UNKNOWN_TIMES, warningAt } from "./session-times.ts";
import { isSignedInAgain } from "./signed-in-again.ts";
import type { WireTimes } from "./wire.ts";

/** For {@link watchSession}. */
export interface WatchOptions extends Pick<
  SessionClientOptions,
  "live" | "fetch" | "clock" | "page" | "openChannel" | "random"
> {
  /** `me`: only if it is not the default. */
  readonly paths: Pick<Paths, "session" | "events"> & Partial<Pick<Paths, "me">>;
  /** What the server knew when it rendered the page. */
  readonly initialSession: Extract<InitialSession<Claims>, { readonly now: number }>;
}

/** The session for which the server rendered the page. */
export interface WatchedSession {
  /** As the server last sent them. */
  readonly times: WireTimes;
  /** The server's clock in epoch seconds. */
  readonly now: number;
  /** After a failed request: the server's clock at its last response. Otherwise `null`. */
  readonly staleSince: number | null;
  /**
   * `SessionWarning` has to be shown now or within half a minute: for a near or past end, another
   * user, or a sign-in in another tab.
   */
  readonly needsAttention: boolean;
}

/** The watch of a page, until the browser leaves the page. */
export type SessionWatch = Pick<SessionClient, "refetch" | "announceSignOut">;

const heartbeatMs = 5_000;
/** `needsAttention` comes this long before a warning: the components load meanwhile. */
const aheadSeconds = 30;

/**
 * Watches the session of a server-rendered page with a session client alone. The page loads React
 * when `needsAttention` is true.
 *
 * @param look - called at once, after each change, and every five seconds
 */
export function watchSession(
  options: WatchOptions,
  look: (session: WatchedSession) => void,
): SessionWatch {
  const { initialSession, clock = deviceClock } = options;
  const client = createSessionClient(options);
  let times: SessionTimes = timesFromWire(initialSession.times, UNKNOWN_TIMES);

  function show(): void {
    const state = client.getSnapshot();
    const now = client.now();
    if (state.status === "signed-in") ({ times } = state);
    const isStale = state.status === "signed-in" && state.stale;
    const isSame = state.user?.sub === initialSession.user.sub;
    const isNear = warningAt(times, now + aheadSeconds) !== null;
    look({
      times: timesToWire(times),
      now,
      staleSince: isStale ? client.lastResponseAt() : null,
      needsAttention: !isSame || isNear || isSignedInAgain(),
    });
  }

  function beat(): void {
    show();
    clock.after(heartbeatMs, beat);
  }

  client.subscribe(show);
  beat();
  return client;
}
