import type {
  Claims,
  EndedReason,
  Org,
  Peek,
  SeedOf,
  SignInError,
  SignInOf,
  Times,
} from "./session-state.ts";
import { nextLookAt, readTimes, UNKNOWN_TIMES } from "./session-times.ts";

/** What one tab knows, and since when. Plain data; the functions here make the next from the last. */
export interface Knowledge {
  readonly state: SignInOf<Claims>;
  /** When the answer that counts was asked for, in device milliseconds; -Infinity for never. */
  readonly askedAt: number;
  /** The server's clock when it answered, in epoch seconds. */
  readonly heardAt: number;
  /** The server's clock minus the device's, in seconds. */
  readonly offset: number;
  /** Attempts in a row that brought no answer. */
  readonly faults: number;
  /** When the last of them was, in device milliseconds. */
  readonly faultAt: number;
}

/** What the server said about this browser. Tabs pass it on to each other. */
export interface Answer {
  readonly peek: Peek;
  readonly user: Claims | null;
  /** Device milliseconds. */
  readonly askedAt: number;
  /** The server's clock minus the device's, in seconds. */
  readonly offset: number;
}

export const LOADING: SignInOf<Claims> = { status: "loading", user: null };
const SIGNED_OUT: SignInOf<Claims> = { status: "signed-out", user: null };

/** While the tab is in sight, the server is asked at least this often. */
const pollMs = 60_000;

/** What is known before anything is asked. `undefined`: nothing; `null`: nobody is signed in. */
export function fromSeed(seed: SeedOf<Claims> | null | undefined, deviceMs: number): Knowledge {
  const never = -Infinity;
  const known = { askedAt: deviceMs, heardAt: never, offset: 0, faults: 0, faultAt: never };
  if (seed === undefined) return { ...known, askedAt: never, state: LOADING };
  if (seed === null) return { ...known, state: SIGNED_OUT };
  if ("ended" in seed) return { ...known, state: ended(seed.ended) };
  const state = signedIn(seed.user, readTimes(seed.times ?? UNKNOWN_TIMES, UNKNOWN_TIMES));
  if (!seed.times) return { ...known, askedAt: never, state };
  return { ...known, state, heardAt: seed.now, offset: seed.now - deviceMs / 1000 };
}

/** Takes in an answer. */
export function learn({ state }: Knowledge, { peek, user, askedAt, offset }: Answer): Knowledge {
  const next = settle(state, nextState(state, peek, user));
  return { state: next, askedAt, heardAt: peek.now, offset, faults: 0, faultAt: -Infinity };
}

/** Takes in that the server could not be asked. Whoever is known stays known; one miss on arrival is forgiven. */
export function miss(
  known: Knowledge,
  error: SignInError,
  deviceMs: number,
  retry: () => void,
): Knowledge {
  const faults = known.faults + 1;
  let { state } = known;
  if (state.status === "signed-in") state = { ...state, stale: true };
  else if (state.status === "loading" && faults > 1)
    state = { status: "error", user: null, error, retry };
  return { ...known, state, faults, faultAt: deviceMs };
}

/** When to ask next by itself, in device milliseconds. Nobody is asked for those who are signed out. */
export function nextAsk(known: Knowledge, visible: boolean, nowMs: number): number {
  const { state, askedAt, heardAt, offset, faults, faultAt } = known;
  if (state.status === "signed-out" || state.status === "ended") return Infinity;
  if (faults > 0) return visible ? faultAt + Math.min(pollMs, 250 * 2 ** faults) : Infinity;
  if (askedAt > nowMs) return nowMs;
  const poll = visible || askedAt === -Infinity ? askedAt + pollMs : Infinity;
  if (state.status !== "signed-in") return poll;
  return Math.min(poll, (nextLookAt(state.session, heardAt) - offset) * 1000);
}

function nextState(before: SignInOf<Claims>, peek: Peek, user: Claims | null): SignInOf<Claims> {
  if (peek.state === "signed-in" && user) {
    const times = before.status === "signed-in" ? before.session : UNKNOWN_TIMES;
    return signedIn(user, readTimes(peek, times));
  }
  if (peek.state === "ended") return ended(peek.reason);
  // The cookie is gone. Where it had to go, the person is told why.
  if (before.status === "ended") return before;
  const reason = before.status === "signed-in" && lapsed(before.session, peek.now);
  return reason ? ended(reason) : SIGNED_OUT;
}

/** Which end had come at `now`. */
function lapsed({ endsAt, absoluteEndsAt }: Times, now: number): "idle" | "max-age" | null {
  if (endsAt === null || now < endsAt) return null;
  return absoluteEndsAt !== null && now >= absoluteEndsAt ? "max-age" : "idle";
}

function ended(reason: EndedReason): SignInOf<Claims> {
  return { status: "ended", user: null, reason };
}

function signedIn(user: Claims, session: Times): SignInOf<Claims> {
  const { org_id: id, org_name: name } = user;
  const org: Org | undefined = id ? { id, ...(name && { name }) } : undefined;
  return { status: "signed-in", user, ...(org && { org }), session, stale: false };
}

/** What did not change stays the same object, so that nothing renders again for it. */
function settle(before: SignInOf<Claims>, next: SignInOf<Claims>): SignInOf<Claims> {
  if (equal(before, next)) return before;
  if (next.status === "signed-in" && before.user && equal(before.user, next.user))
    return { ...next, user: before.user };
  return next;
}

function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
