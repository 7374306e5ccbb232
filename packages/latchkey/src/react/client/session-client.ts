import {
  openBroadcast,
  type Belief,
  type Channel,
  type Message,
  type OpenChannel,
} from "./channel.ts";
import { deviceClock, type Clock } from "./clock.ts";
import { browserPage, type Page, type PageEvent } from "./page.ts";
import type { Paths } from "./paths.ts";
import {
  fromSeed,
  learn,
  LOADING,
  miss,
  nextAsk,
  type Answer,
  type Knowledge,
} from "./cached-session.ts";
import { hearServer, peekOf, type Ask } from "./fetch-session.ts";
import { SignInError, type Claims, type SeedOf, type SignInOf } from "./session-state.ts";
import { askJSON } from "./wire.ts";

export interface SessionClientOptions {
  readonly paths: Paths;
  /** What the server knew when it rendered the page; `null`: nobody is signed in; `undefined`: ask. */
  readonly seed?: SeedOf<Claims> | null | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock?: Clock;
  readonly page?: Page;
  readonly openChannel?: OpenChannel;
  /** From 0 up to 1; spreads the requests of tabs that wake at the same moment. */
  readonly random?: () => number;
}

/** Who is signed in, kept true for one page. It works while somebody listens and rests otherwise. */
export interface SessionClient {
  readonly paths: Paths;
  readonly clock: Clock;
  /** Calls back after each change; the answer ends it. */
  subscribe(changed: () => void): () => void;
  getSnapshot(): SignInOf<Claims>;
  /** What was seeded: the first render of the server and of the browser. */
  getServerSnapshot(): SignInOf<Claims>;
  /** The server's clock in epoch seconds. */
  now(): number;
  /** The server's clock when it rendered the page; 0 where it did not say. */
  getServerNow(): number;
  /** The server's clock when it last answered; -Infinity for never. */
  heardAt(): number;
  /** Asks the server without extending anything. `false`: it was not reached. */
  look(): Promise<boolean>;
  /** Extends the session, and tells the other tabs. `false`: the server was not reached. */
  extend(): Promise<boolean>;
  /** Why the server was not reached when it was last asked. */
  fault(): SignInError | undefined;
  /** Tells the other tabs that the person is signing out here. */
  leaving(): void;
  /** Signs out here and at the provider: the browser leaves the page. */
  signOut(): void;
}

/** Everything that changes while a client lives. */
interface Life {
  readonly clock: Clock;
  readonly page: Page;
  readonly random: () => number;
  readonly ask: Ask;
  readonly listeners: Set<() => void>;
  known: Knowledge;
  /** Ask not later than this, and not before that; device milliseconds. */
  wanted: number;
  held: number;
  flight?: Promise<boolean> | undefined;
  extension?: Promise<boolean> | undefined;
  cancelTimer?: (() => void) | undefined;
  line?: Channel | undefined;
  fault?: SignInError | undefined;
  /** Who was signed in when the page was put away. */
  stored?: string | undefined;
}

/** When the person comes to the tab, the server is asked at most this often. */
const freshMs = 1_000;
/** Tabs that wake together ask within this time, one after the other … */
const spreadMs = 150;
/** … and wait this long for what the first one hears. */
const patienceMs = 1_500;
/** A sign-out or sign-in in another tab is looked for after this time. */
const settleMs = 1_000;
/** Timers stand still while a device sleeps: the clock is compared this often, and less often out of sight. */
const heartbeatMs = 5_000;
const restingHeartbeatMs = 60_000;

export function createSessionClient(options: SessionClientOptions): SessionClient {
  const { paths, seed, clock = deviceClock, openChannel = openBroadcast } = options;
  const known = fromSeed(seed, clock.now());
  const first = known.state;
  const life: Life = {
    clock,
    page: options.page ?? browserPage,
    random: options.random ?? Math.random,
    ask: (path) => askJSON(options.fetch ?? fetch, paths[path]),
    listeners: new Set(),
    known,
    wanted: Infinity,
    held: -Infinity,
  };
  const leaving = (): void => post(life, { here: null, until: null });
  let stop: (() => void) | undefined;
  return {
    paths,
    clock,
    subscribe(changed) {
      life.listeners.add(changed);
      stop ??= start(life, (heard) => openChannel(`latchkey:1:${paths.session}`, heard));
      return () => {
        life.listeners.delete(changed);
        if (life.listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
    getSnapshot: () => life.known.state,
    getServerSnapshot: () => first,
    now: () => clock.now() / 1000 + life.known.offset,
    getServerNow: () => Math.max(0, Math.floor(known.heardAt)),
    heardAt: () => life.known.heardAt,
    look: () => look(life),
    extend: () => once(life, "extension"),
    fault: () => life.fault,
    leaving,
    signOut() {
      leaving();
      life.page.post(paths.logout);
    },
  };
}

function start(life: Life, open: (heard: (message: Message) => void) => Channel): () => void {
  const line = open((message) => hear(life, message));
  const deafen = life.page.listen((event) => react(life, event));
  life.line = line;
  const belief = beliefOf(life.known.state);
  if (belief) post(life, belief);
  plan(life);
  return () => {
    deafen();
    line.close();
    life.line = undefined;
    life.cancelTimer?.();
  };
}

function react(life: Life, event: PageEvent): void {
  if (event === "stored") {
    life.stored = life.known.state.user?.sub;
    life.page.veil(life.stored !== undefined);
  } else if (event === "restored") void lookBeforeShowing(life);
  else if (event === "look") want(life, life.known.askedAt + freshMs - life.clock.now());
  else plan(life);
}

/** A page out of the browser's memory shows nothing private before the server has said who is here now. */
async function lookBeforeShowing(life: Life): Promise<void> {
  await life.flight;
  await look(life);
  if (life.stored === undefined) return;
  if (life.stored === life.known.state.user?.sub) life.page.veil(false);
  else life.page.reload();
}

/**
 * Sets the one timer. Tabs that share answers are due at the same moment, so each waits a little of its own.
 * A device that slept, or whose clock was put right, is noticed by comparing the clock, not by the timer itself.
 */
function plan(life: Life): void {
  life.cancelTimer?.();
  life.cancelTimer = undefined;
  const due = dueAt(life);
  if (!life.line || life.flight || due === Infinity) return;
  if (due === -Infinity) return void look(life);
  const wait = Math.max(0, due - life.clock.now()) + life.random() * spreadMs;
  const heartbeat = life.page.visible() ? heartbeatMs : restingHeartbeatMs;
  life.cancelTimer = life.clock.after(Math.min(wait, heartbeat), () =>
    wait > heartbeat ? plan(life) : void look(life),
  );
}

/** In device milliseconds; -Infinity for a page that knows nothing yet. */
function dueAt({ held, wanted, known, page, clock }: Life): number {
  return Math.max(held, Math.min(wanted, nextAsk(known, page.visible(), clock.now())));
}

function want(life: Life, delayMs: number): void {
  life.wanted = Math.min(life.wanted, life.clock.now() + Math.max(0, delayMs));
  plan(life);
}

function look(life: Life): Promise<boolean> {
  return once(life, "flight");
}

/** One request of a kind at a time: who asks meanwhile is given its answer. */
function once(life: Life, kind: "flight" | "extension"): Promise<boolean> {
  life[kind] ??= inquire(life, kind === "extension").finally(() => {
    life[kind] = undefined;
    plan(life);
  });
  return life[kind];
}

/** Asks the server and takes in what it says, or that it says nothing. */
async function inquire(life: Life, renew: boolean): Promise<boolean> {
  const askedAt = life.clock.now();
  post(life, { asking: true });
  try {
    const { peek, user } = await hearServer(life.ask, life.known.state, renew);
    if (peek instanceof SignInError) {
      const { offset } = life.known;
      takeIn(life, { peek: peekOf(user, askedAt / 1000 + offset), user, askedAt, offset });
      throw peek;
    }
    const offset = offsetOf(life.known.offset, peek.now, [askedAt, life.clock.now()]);
    const answer = { peek, user, askedAt, offset };
    takeIn(life, answer);
    post(life, { answer });
    life.fault = undefined;
    return true;
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    calm(life, askedAt);
    know(
      life,
      miss(life.known, error, life.clock.now(), () => retry(life)),
    );
    life.fault = error;
    return false;
  }
}

/**
 * The server's clock minus the device's. The server tells whole seconds, at some time between question and answer:
 * what is known already is kept as far as that allows, so that a countdown runs evenly.
 */
function offsetOf(known: number, now: number, [askedMs, heardMs]: [number, number]): number {
  const [least, most] = [now - heardMs / 1000, now + 1 - askedMs / 1000];
  return least <= known && known <= most ? known : (least + most) / 2;
}

function retry(life: Life): void {
  know(life, { ...life.known, state: LOADING });
  void look(life);
}

/** What another tab says. */
function hear(life: Life, message: Message): void {
  if ("answer" in message) takeIn(life, message.answer);
  else if ("asking" in message) life.held = life.clock.now() + patienceMs;
  else if (differs(life.known.state, message)) want(life, settleMs);
  plan(life);
}

/** Another person, or another sign-in of the same: then the absolute end is another, where both tabs know it. */
function differs(state: SignInOf<Claims>, { here, until }: Belief): boolean {
  const mine = beliefOf(state);
  if (mine === null) return false;
  return here !== mine.here || (until && mine.until) !== (mine.until && until);
}

/** Who this tab believes is here; `null` while it does not know. */
function beliefOf(state: SignInOf<Claims>): Belief | null {
  const { status } = state;
  if (status === "loading" || status === "error") return null;
  if (status !== "signed-in") return { here: null, until: null };
  return { here: state.user.sub, until: state.session.absoluteEndsAt };
}

function post(life: Life, message: Message): void {
  life.line?.post(message);
}

/** An answer older than what is known says nothing; unless the device's clock was put back. */
function takeIn(life: Life, answer: Answer): void {
  const { askedAt } = life.known;
  if (answer.askedAt < askedAt && askedAt <= life.clock.now()) return;
  calm(life, answer.askedAt);
  know(life, learn(life.known, answer));
}

/** A wish to ask is fulfilled by a request sent after it, or shortly before. */
function calm(life: Life, askedAt: number): void {
  if (life.wanted <= askedAt + settleMs) life.wanted = Infinity;
}

function know(life: Life, known: Knowledge): void {
  const before = life.known.state;
  life.known = known;
  if (known.state !== before) for (const changed of life.listeners) changed();
}
