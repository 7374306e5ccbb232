import type { SessionResponse } from "./cached-session.ts";
import { channelName, NOBODY, openBroadcastChannel } from "./browser/channel.ts";
import type { Claims } from "./claims.ts";
import { type Clock, deviceClock } from "./browser/clock.ts";
import { browserPage, type Page } from "./browser/page.ts";
import type { Paths } from "./paths.ts";
import type { SessionClientOptions } from "./session-client.ts";
import type { InitialSession } from "./session-state.ts";
import { clockOffsetOf, timesFromWire, UNKNOWN_TIMES, warningAt } from "./session-times.ts";
import { isSignedInAgain } from "./signed-in-again.ts";
import { getJSON, isPeekResult, type WireTimes } from "./wire.ts";

/** For {@link watchSession}. */
export interface WatchOptions extends Pick<
  SessionClientOptions,
  "live" | "fetch" | "clock" | "page" | "openChannel"
> {
  readonly paths: Pick<Paths, "session" | "events">;
  /** What the server knew when it rendered the page. */
  readonly initialSession: Extract<InitialSession<Claims>, { readonly now: number }>;
}

/** What is known of the session that the page was rendered with. */
export interface WatchedSession {
  /** As the server sent them last. */
  readonly times: WireTimes;
  /** The server's clock in epoch seconds. */
  readonly now: number;
  /** The server's clock when it last responded, where it could not be asked since; `null` else. */
  readonly staleSince: number | null;
  /**
   * `SessionWarning` has something to say, or soon will: an end that is near or has come, another
   * person, a sign-in in another tab.
   */
  readonly needsAttention: boolean;
}

/** A page that watches its session, until it is left. */
export interface SessionWatch {
  /** Asks the server, without extending the session. `false`: it was not reached. */
  refetch(): Promise<boolean>;
  /** Tells the other tabs that the person is signing out here. */
  announceSignOut(): void;
}

const heartbeatMs = 5_000;
/** While the tab is visible, the server is asked this often; after a failure sooner, then ever less often. */
const pollMs = 60_000;
const firstRetryMs = 1_000;
/** Near an end it is asked whether the session was extended elsewhere. */
const nearMs = 10_000;
/** When the person comes to the tab, the server is asked at most this often. */
const freshMs = 1_000;
/** A sign-out or sign-in in another tab is looked for after this time. */
const settleMs = 1_000;
/** Attention is needed so many seconds before there is something to say: it has to be loaded first. */
const aheadSeconds = 30;

/**
 * Watches the session of a page that the server has rendered, with little code: such a page loads
 * React and the components of this package when `needsAttention` says so, and not before. It extends
 * nothing. Like the session client it shows nothing private out of the back/forward cache before
 * the server has said who is signed in.
 *
 * @param look - called synchronously, and whenever something may have changed
 */
export function watchSession(
  options: WatchOptions,
  look: (session: WatchedSession) => void,
): SessionWatch {
  const { paths, clock = deviceClock, page = browserPage } = options;
  const { user, times } = options.initialSession;
  const asking = createAsking(options, clock, look);
  const { refetch } = asking;

  const channel = (options.openChannel ?? openBroadcastChannel)(channelName(paths), (message) => {
    if ("response" in message) asking.take(message.response);
    if ("ended" in message) void refetch();
    else if ("knownUser" in message && message.knownUser.sub !== user.sub)
      clock.after(settleMs, () => void refetch());
  });
  options.live?.({
    url: paths.events,
    clock,
    isWanted: asking.isSame,
    onEnd() {
      channel.post({ knownUser: NOBODY, ended: true });
      void refetch();
    },
  });

  const beat = (): void => {
    if (asking.isDue() && (page.isVisible() || asking.isNear())) void refetch();
    else asking.tell();
    clock.after(heartbeatMs, beat);
  };

  const refetchUnlessFresh = (): void => {
    if (asking.isOlderThan(freshMs)) void refetch();
  };

  page.subscribe((event) => {
    if (event === "cached") page.hidePage(true);
    else if (event === "restored") void refetchBeforeShowing(asking, page);
    else if (event === "active" && asking.isOlderThan(freshMs)) void refetch();
    // What is fresh now may be so no longer when it counts.
    else if (event === "active") clock.after(freshMs, refetchUnlessFresh);
  });
  channel.post({ knownUser: { sub: user.sub, absoluteEndsAt: times.absoluteEndsAt } });
  beat();
  return {
    refetch,
    announceSignOut: () => channel.post({ knownUser: NOBODY }),
  };
}

async function refetchBeforeShowing({ refetch, isSame }: Asking, page: Page): Promise<void> {
  await refetch();
  if (isSame()) page.hidePage(false);
  else page.reload();
}

function retryMs(failures: number): number {
  return Math.min(pollMs, firstRetryMs * 2 ** failures);
}

/**
 * Tells of each response, by when it was requested, whether none to a later request has come before it; also where the device's
 * clock was put back.
 */
function newestFirst(clock: Clock): (requestedAt: number) => boolean {
  let newestAt = -Infinity;
  return (requestedAt) => {
    const isNewest = requestedAt >= newestAt || newestAt > clock.now();
    if (isNewest) newestAt = requestedAt;
    return isNewest;
  };
}

type Asking = ReturnType<typeof createAsking>;

/** Asks the server, and keeps what it has said. */
function createAsking(
  { paths, initialSession, fetch: ownFetch = fetch }: WatchOptions,
  clock: Clock,
  look: (session: WatchedSession) => void,
) {
  const { user, now: renderedAt } = initialSession;
  let times: WireTimes = initialSession.times;
  let offset = renderedAt - clock.now() / 1000;
  let [askedAt, respondedAt, failures, isSame] = [clock.now(), renderedAt, 0, true];
  const isNewest = newestFirst(clock);

  const isOlderThan = (ms: number): boolean => clock.now() >= askedAt + ms;

  const serverNow = (): number => clock.now() / 1000 + offset;
  const isNear = (): boolean =>
    warningAt(timesFromWire(times, UNKNOWN_TIMES), serverNow() + aheadSeconds) !== null;

  function tell(): void {
    const needsAttention = !isSame || isNear() || isSignedInAgain();
    const staleSince = failures > 0 ? respondedAt : null;
    look({ times, now: serverNow(), staleSince, needsAttention });
  }

  function take({ peek, requestedAt }: Pick<SessionResponse, "peek" | "requestedAt">): void {
    if (!isNewest(requestedAt)) return;
    failures = 0;
    respondedAt = peek.now;
    isSame = peek.state === "signed-in" && peek.sub === user.sub;
    if (peek.state === "signed-in") times = peek;
    tell();
  }

  async function refetch(): Promise<boolean> {
    const requestedAt = clock.now();
    askedAt = requestedAt;
    try {
      const peek = await getJSON(ownFetch, paths.session, isPeekResult);
      offset = clockOffsetOf(offset, peek.now, [requestedAt, clock.now()]);
      take({ peek, requestedAt });
    } catch {
      if (isNewest(requestedAt)) failures += 1;
      tell();
    }
    return failures === 0;
  }

  return {
    tell,
    take,
    refetch,
    isOlderThan,
    isNear,
    isSame: () => isSame,
    isDue: () => isOlderThan(failures > 0 ? retryMs(failures) : isNear() ? nearMs : pollMs),
  };
}
