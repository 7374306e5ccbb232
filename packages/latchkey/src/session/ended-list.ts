import { andThen, type Awaitable } from "../awaitable.ts";
import type { Store } from "../stores/store.ts";

/** Whose sessions a mark ends; identity is always the issuer's and the client's (sid and sub are theirs alone). */
export interface Party {
  readonly issuer: string;
  readonly client: string;
}

/** What is known of a session when one asks whether it was ended. */
export interface Candidate {
  readonly id: string | undefined;
  readonly sid: string | undefined;
  readonly sub: string;
  /** When its sign-in was started, in epoch milliseconds. */
  readonly started: number;
}

/**
 * Remembers which sessions were ended before their time.
 *
 * A session is dead when it was named itself, or when its sign-in was **started** before a mark on its
 * provider session (`sid`) or its person (`sub`). So a logout token that overtakes the callback still counts, a
 * later sign-in revives nothing, and a `sid` that the provider uses again hurts nobody.
 */
export interface EndedList {
  isEnded(candidate: Candidate): Awaitable<boolean>;
  endSession(id: string): Awaitable<void>;
  endProviderSession(sid: string): Awaitable<void>;
  endPerson(sub: string): Awaitable<void>;
  /** Whether a logout token with this id was acted upon before. */
  knowsToken(jti: string): Awaitable<boolean>;
  /** Remembers a logout token's id until `expiresAt` (epoch seconds); `false` where somebody else just did. */
  rememberToken(jti: string, expiresAt: number): Awaitable<boolean>;
}

export interface EndedListParts {
  readonly store: Store;
  readonly party: Party;
  /** How long a mark is kept, in seconds: the longest life of a session, counted from the start of its sign-in. */
  readonly keepSeconds: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createEndedList({ store, party, keepSeconds, clock }: EndedListParts): EndedList {
  const of = (kind: string, name: string) => `${kind}|${party.issuer}|${party.client}|${name}`;
  const mark = (key: string) => {
    const now = clock();
    return store.set(key, `${now}`, Math.ceil(now / 1000) + keepSeconds);
  };
  const judge = (marks: readonly (string | null)[], started: number) =>
    marks[0] != null || isAfter(marks[1], started) || isAfter(marks[2], started);

  return {
    isEnded({ id, sid, sub, started }) {
      const marks = store.get([
        id === undefined ? "" : `id|${id}`,
        sid === undefined ? "" : of("sid", sid),
        of("sub", sub),
      ]);
      return andThen(marks, (found) => judge(found, started));
    },
    endSession: (id) => mark(`id|${id}`),
    endProviderSession: (sid) => mark(of("sid", sid)),
    endPerson: (sub) => mark(of("sub", sub)),
    knowsToken: (jti) => andThen(store.get([of("jti", jti)]), ([found]) => found != null),
    rememberToken: (jti, expiresAt) => store.add(of("jti", jti), "", expiresAt),
  };
}

function isAfter(mark: string | null | undefined, started: number): boolean {
  return mark != null && Number(mark) > started;
}
