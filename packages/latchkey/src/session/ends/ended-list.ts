import type { Store } from "../../stores/store.ts";
import { formatLaterEnd, type LaterEnd, parseLaterEnd } from "./later-end.ts";
import { endsSignIn, formatMark, isNewer, type Mark, parseMark, type SignInTimes } from "./mark.ts";
import { type ClientRegistration, providerSessionTag, userTag } from "../session-handle.ts";

/** By what a session can be named when it is to be ended. */
export interface SessionNames {
  readonly id: string;
  /** See `providerSessionTag`; `undefined` where the provider gave no `sid`. */
  readonly sidTag?: string | undefined;
  /** See `userTag`. */
  readonly subTag: string;
}

/** What a logout token names: a session at the provider, a user, or both. */
export interface NamedSessions {
  readonly sid?: string | undefined;
  readonly sub?: string | undefined;
  /** When the provider issued the token, in epoch seconds; absent where it did not say so. */
  readonly issued?: number | undefined;
}

/**
 * Remembers which sessions were ended before their time.
 *
 * A session has ended when it was named itself, or when its sign-in was **started** before a mark on its
 * session at the provider (`sid`) or its user (`sub`). So a logout token that overtakes the callback still
 * counts, a later sign-in revives nothing, and a `sid` that the provider uses again hurts nobody.
 */
export interface EndedList {
  endSession(id: string): Promise<void>;
  /** Ends a session at a later moment; `false` where its end was marked before: that mark stays. */
  endSessionLater(id: string, end: LaterEnd): Promise<boolean>;
  /** Takes a later end back; `false` where another mark has taken its place: then that one counts. */
  takeBack(id: string, end: LaterEnd): Promise<boolean>;
  /**
   * Ends what a logout token names: with a `sid` that session alone, and where the token names the user
   * too, also the user's sessions for which the provider gave no `sid`; else all sessions of the user.
   */
  endNamed(named: NamedSessions): Promise<void>;
  /** Ends all sessions of a user; see `userTag`. */
  endUser(subTag: string): Promise<void>;
  /** Whether a logout token with this id was acted upon before. */
  knowsToken(jti: string): Promise<boolean>;
  /** Remembers a logout token's id until `expiresAt` (epoch seconds); `false` where somebody else just did. */
  rememberToken(jti: string, expiresAt: number): Promise<boolean>;
}

export interface EndedListOptions {
  readonly store: Store;
  readonly registration: ClientRegistration;
  /** How long a mark is kept, in seconds: the longest life of a session, counted from the start of its sign-in. */
  readonly keepSeconds: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** The time by which all instances judge, whose clocks differ; epoch milliseconds. */
  readonly sharedClock: () => Promise<number>;
}

/** Epoch seconds. */
const longAgo = 1;

export function createEndedList(options: EndedListOptions): EndedList {
  const { store, registration, keepSeconds, clock, sharedClock } = options;
  const tokenKey = (jti: string) => `jti|${registration.issuer}|${registration.client}|${jti}`;

  async function write(key: string, mark: Mark): Promise<void> {
    await store.set(key, formatMark(mark), Math.ceil(clock() / 1000) + keepSeconds);
  }

  const mark = async (key: string) => write(key, { at: await sharedClock() });

  /** A mark never goes back: a token that was delivered late must not take the place of a newer one. */
  async function markNamed(key: string, issued: number | undefined): Promise<void> {
    if (issued === undefined) return mark(key);
    const [lying] = await store.get([key]);
    const known = lying == null ? null : parseMark(lying);
    const made = { at: clock(), issued };
    if (known === null || isNewer(made, known)) await write(key, made);
  }

  return {
    endSession: (id) => write(idKey(id), { at: clock() }),
    endSessionLater: async (id, end) =>
      store.add(idKey(id), formatLaterEnd(end), end.at + keepSeconds),
    // What is written in the place of the mark has expired long ago: nothing stays there.
    takeBack: async (id, end) =>
      (await store.swap(idKey(id), formatLaterEnd(end), "", longAgo)) === "done",
    async endNamed({ sid, sub, issued }) {
      if (sid !== undefined) await markNamed(sidKey(providerSessionTag(registration, sid)), issued);
      if (sub === undefined) return;
      const subTag = userTag(registration, sub);
      await markNamed(sid === undefined ? subKey(subTag) : withoutSidKey(subTag), issued);
    },
    endUser: (subTag) => mark(subKey(subTag)),
    async knowsToken(jti) {
      const [known] = await store.get([tokenKey(jti)]);
      return known != null;
    },
    rememberToken: async (jti, expiresAt) => store.add(tokenKey(jti), "", expiresAt),
  };
}

/** The keys under which marks on a session would lie, for {@link isEnded}. */
export function markKeys({ id, sidTag, subTag }: SessionNames): readonly string[] {
  return [idKey(id), sidTag === undefined ? withoutSidKey(subTag) : sidKey(sidTag), subKey(subTag)];
}

/** What lies under {@link markKeys}, in their order. */
export type Marks = readonly (string | null)[];

/** Whether one of the marks ends a session by now. */
export function isEnded(marks: Marks, times: SignInTimes, nowSeconds: number): boolean {
  const [onSession, ...onOthers] = marks;
  const later = laterEndIn(marks);
  const isItself = later === null ? onSession != null : later.at <= nowSeconds;
  return isItself || onOthers.some((text) => text != null && isEndedBy(text, times));
}

/** Whether a mark on the session at the provider has ended it. */
export function isEndedAtProvider(
  marks: Marks,
  { sidTag }: SessionNames,
  times: SignInTimes,
): boolean {
  const onProviderSession = marks[1];
  return sidTag !== undefined && onProviderSession != null && isEndedBy(onProviderSession, times);
}

/** When the session itself ends later, or has ended so; `null` where nobody has asked for that. */
export function laterEndIn([onSession]: Marks): LaterEnd | null {
  return onSession == null ? null : parseLaterEnd(onSession);
}

/** A mark that cannot be read counts: in doubt a session has ended. */
function isEndedBy(text: string, times: SignInTimes): boolean {
  const mark = parseMark(text);
  return mark === null || endsSignIn(mark, times);
}

/** The session whose own mark lies under a key; empty where it is a mark on others. */
export function markedSession(key: string): string {
  return key.startsWith("id|") ? key.slice("id|".length) : "";
}

const idKey = (id: string) => `id|${id}`;
const sidKey = (tag: string) => `sid|${tag}`;
const subKey = (tag: string) => `sub|${tag}`;
const withoutSidKey = (tag: string) => `sub-without-sid|${tag}`;
