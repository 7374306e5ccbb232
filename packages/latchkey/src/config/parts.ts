import type { Problem } from "../errors/problem.ts";
import type { Log } from "./log-event.ts";

type Awaitable<T> = T | Promise<T>;

/** What an app may hand in beside settings: things, not values. */
export interface Parts<Session, Store> {
  /** Remembers ended sessions, and holds the sessions themselves where they are stateful. */
  readonly store?: Store;
  readonly log?: Log;
  readonly hooks?: Hooks<Session>;
  /** Makes the HTML page for a problem; a small built-in page otherwise. */
  readonly renderProblem?: (problem: Problem, request: Request) => Awaitable<string>;
  /** Calls the provider; by default `node:http` on Node, `globalThis.fetch` elsewhere. */
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
  /** Epoch milliseconds; `Date.now` by default. */
  readonly clock?: () => number;
  /** Random bytes; the Web Crypto generator by default. */
  readonly random?: (bytes: number) => Uint8Array;
}

/** Places where an app may look at a session before it is kept, change it, or refuse by throwing. */
export interface Hooks<Session> {
  /** After the callback's last check, before the session is made. */
  readonly afterCallback?: (session: Session, request: Request) => Awaitable<Session>;
  /** Before any session is written. */
  readonly beforeSave?: (session: Session) => Awaitable<Session>;
  /** After new tokens have come. */
  readonly afterRefresh?: (session: Session) => Awaitable<Session>;
}
