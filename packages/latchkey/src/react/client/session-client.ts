import { initialCache, LOADING } from "./cached-session.ts";
import {
  channelName,
  NO_USER,
  openBroadcastChannel,
  type Channel,
  type Message,
  type OpenChannel,
} from "./browser/channel.ts";
import type { Claims } from "./claims.ts";
import {
  type ClientState,
  isOtherSignIn,
  followIfSignedIn,
  knownUser,
  receiveResponse,
  setCached,
  settleMs,
} from "./client-state.ts";
import { deviceClock, type Clock } from "./browser/clock.ts";
import type { Follow } from "./browser/follow-ends.ts";
import { browserPage, type Page, type PageEvent } from "./browser/page.ts";
import {
  currentReturnTo,
  loginURL,
  resolvePaths,
  type Paths,
  type SignInOptions,
} from "./paths.ts";
import { extend, refetch, refetchWithin, responseWaitMs, scheduleRefetch } from "./refetch.ts";
import type { RequestError } from "./request-error.ts";
import type { InitialSession, SessionState } from "./session-state.ts";
import { getJSON } from "./wire.ts";

/** For {@link createSessionClient}. */
export interface SessionClientOptions {
  /** The path of the app, without a slash at the end. Default: none. */
  readonly basePath?: string | undefined;
  /** Addresses of the server other than the defaults. `basePath` is not added to them. */
  readonly paths?: Partial<Paths> | undefined;
  /**
   * What the server knew when it rendered the page; `null`: no user is signed in. Left out: the
   * client requests it.
   */
  readonly initialSession?: InitialSession<Claims> | null | undefined;
  /** Default: the browser's own `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Default: the clock of the device. */
  readonly clock?: Clock;
  /** Default: the page of the browser. */
  readonly page?: Page;
  /** Default: a `BroadcastChannel`. */
  readonly openChannel?: OpenChannel;
  /**
   * `followEnds`, if the server has streams (its setting `streams`): the client learns of the end
   * of the session within a second. Otherwise within a minute.
   */
  readonly live?: Follow | undefined;
  /** From 0 up to 1; spreads the requests of tabs that become active at the same moment. */
  readonly random?: () => number;
}

/** The actions on the session. */
export interface SessionActions {
  /**
   * Leaves the page to sign in, and comes back to it, query and fragment included, or to
   * `returnTo`.
   */
  readonly signIn: (options?: SignInOptions) => void;
  /**
   * Signs out here and at the provider, and informs the other tabs. The browser leaves the page.
   */
  readonly signOut: () => void;
  /**
   * Keeps the session for another rolling duration, in every tab. `false`: the server was not
   * reached.
   */
  readonly extend: () => Promise<boolean>;
  /** Requests the state now, without extending the session. `false`: the server was not reached. */
  readonly refetch: () => Promise<boolean>;
}

/** Keeps the state of the session current for one page, while it has subscribers. */
export interface SessionClient extends SessionActions {
  readonly paths: Paths;
  readonly clock: Clock;
  /** Calls back after each change, until the returned function is called. */
  subscribe(changed: () => void): () => void;
  getSnapshot(): SessionState<Claims>;
  /** The initial state, for the first render on the server and in the browser. */
  getServerSnapshot(): SessionState<Claims>;
  /** The server's clock in epoch seconds. */
  now(): number;
  /** The server's clock when it rendered the page, in epoch seconds; 0 if unknown. */
  getServerNow(): number;
  /** The server's clock when it last responded, in epoch seconds; -Infinity for never. */
  lastResponseAt(): number;
  /** Why the last request failed, if it did. */
  lastError(): RequestError | undefined;
  /** Informs the other tabs of a sign-out here. */
  announceSignOut(): void;
}

/** When the tab becomes active, it sends at most one request within this time. */
const freshMs = 1_000;

/** Creates a client for one page. `SignInProvider` creates its own unless you pass one. */
export function createSessionClient(options: SessionClientOptions = {}): SessionClient {
  const { basePath = "", clock = deviceClock, page = browserPage } = options;
  const paths = resolvePaths(basePath, options.paths);
  const cached = initialCache(options.initialSession, clock);
  const warn = createWarning();
  const client: ClientState = {
    clock,
    page,
    random: options.random ?? Math.random,
    get: (path, isExpected) => getJSON(options.fetch ?? fetch, paths[path], isExpected, warn),
    follow: () => options.live?.({ url: paths.events, clock, onEnd: () => receiveEnd(client) }),
    listeners: new Set(),
    cached,
    refetchBy: Infinity,
    notBefore: -Infinity,
    extendLock: `${channelName(paths)}:extend`,
    extendedElsewhereAt: -Infinity,
  };
  const { openChannel = openBroadcastChannel } = options;
  const announceSignOut = (): void => client.channel?.post({ knownUser: NO_USER });
  return {
    paths,
    clock,
    subscribe: createSubscribe(client, (onMessage) => openChannel(channelName(paths), onMessage)),
    getSnapshot: () => client.cached.state,
    getServerSnapshot: () => cached.state,
    now: () => clock.now() / 1000 + client.cached.clockOffset,
    getServerNow: () => Math.max(0, Math.floor(client.cached.lastResponseAt)),
    lastResponseAt: () => client.cached.lastResponseAt,
    lastError: () => client.lastError,
    refetch() {
      if (client.cached.state.status === "loading")
        setCached(client, { ...client.cached, state: LOADING });
      return refetch(client);
    },
    extend: () => extend(client),
    announceSignOut,
    signIn: ({ returnTo = currentReturnTo(paths), ...others } = {}) =>
      page.assign(loginURL(paths, { returnTo, ...others })),
    signOut() {
      announceSignOut();
      page.post(paths.logout);
    },
  };
}

/** Warns once: behind a dev server, a missing proxy is the usual cause. */
function createWarning() {
  let isWarned = false;
  return (advice: string): void => {
    if (!isWarned) console.warn(`latchkey: ${advice}`);
    isWarned = true;
  };
}

type Open = (onMessage: (message: Message) => void) => Channel;

/** Starts the client with the first subscriber, and stops it after the last. */
function createSubscribe(client: ClientState, open: Open) {
  let stop: (() => void) | undefined;
  return (changed: () => void) => {
    client.listeners.add(changed);
    stop ??= start(client, open);
    return () => {
      client.listeners.delete(changed);
      if (client.listeners.size > 0) return;
      stop?.();
      stop = undefined;
    };
  };
}

function start(client: ClientState, open: Open): () => void {
  const channel = open((message) => receiveMessage(client, message));
  const unsubscribe = client.page.subscribe((event) => onPageEvent(client, event));
  client.channel = channel;
  const known = knownUser(client.cached.state);
  if (known) channel.post({ knownUser: known });
  followIfSignedIn(client);
  scheduleRefetch(client);
  return () => {
    unsubscribe();
    channel.close();
    client.channel = undefined;
    followIfSignedIn(client);
    client.cancelTimer?.();
  };
}

/** The server's stream has reported the end of the session. */
function receiveEnd(client: ClientState): void {
  client.channel?.post({ knownUser: NO_USER, ended: true });
  void refetch(client);
}

function onPageEvent(client: ClientState, event: PageEvent): void {
  if (event === "cached") {
    client.subWhenCached = client.cached.state.user?.sub;
    client.page.hidePage(client.subWhenCached !== undefined);
  } else if (event === "restored") void refetchBeforeShowing(client);
  else if (event === "active")
    refetchWithin(client, client.cached.requestedAt + freshMs - client.clock.now());
  else scheduleRefetch(client);
}

/** Shows a page out of the back/forward cache only to the same user. */
async function refetchBeforeShowing(client: ClientState): Promise<void> {
  await client.refetching;
  await refetch(client);
  if (client.subWhenCached === undefined) return;
  if (client.subWhenCached === client.cached.state.user?.sub) client.page.hidePage(false);
  else client.page.reload();
}

function receiveMessage(client: ClientState, message: Message): void {
  if ("response" in message) {
    if (message.extended) client.extendedElsewhereAt = client.clock.now();
    receiveResponse(client, message.response);
  } else if ("requesting" in message) client.notBefore = client.clock.now() + responseWaitMs;
  else if ("ended" in message) refetchWithin(client, 0);
  else if (isOtherSignIn(client.cached.state, message.knownUser)) refetchWithin(client, settleMs);
  scheduleRefetch(client);
}
