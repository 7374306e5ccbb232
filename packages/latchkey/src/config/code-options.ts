import type { Problem } from "../errors/problem.ts";
import type { AuthRequest } from "../http/auth-request.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import type { AccessRule } from "./access-rule.ts";
import type { Identity } from "./identity.ts";
import type { FormToSend, SignedOut } from "./pages.ts";
import type { Log } from "../telemetry/log-event.ts";
import type { Settings } from "./settings.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

/**
 * What an app may pass beside the settings: functions and objects, which no environment variable
 * can hold.
 */
export interface CodeOptions<Session, Store, ActiveSession = Session> {
  /**
   * Keeps ended sessions, and the sessions themselves if they are stateful. A function is called
   * once, by `ready()` or the first request; its error is reported as a fault of this option.
   */
  readonly store?: Store | (() => MaybePromise<Store>) | undefined;
  /**
   * Receives every event. By default warnings and errors are written to stderr: as readable lines,
   * or as JSON in production.
   */
  readonly log?: Log | undefined;
  /** Observers of sign-in, such as metrics or traces. They get each operation and its duration. */
  readonly telemetry?: Telemetry | readonly Telemetry[] | undefined;
  /** Functions that see a session before it is stored. */
  readonly hooks?: Hooks<Session> | undefined;
  /**
   * Access rules for paths and everything below them, in addition to sign-in. A rule closes a path
   * in `publicPaths`; a rule for `/` covers all paths except public ones. If several rules cover a
   * path, all of them count.
   */
  readonly accessRules?: Readonly<Record<string, AccessRule<Session>>> | undefined;
  /**
   * Renders the HTML page of a problem, with the active session, if any; a small built-in page by
   * default.
   */
  readonly renderProblem?:
    | ((
        problem: Problem,
        request: AuthRequest,
        session: ActiveSession | null,
      ) => MaybePromise<string>)
    | undefined;
  /** Makes the HTML page on which logout lands; a small built-in page by default. */
  readonly renderSignedOut?:
    | ((signedOut: SignedOut, request: AuthRequest) => MaybePromise<string>)
    | undefined;
  /**
   * Renders the HTML page that offers a form again after a stronger sign-in; a small built-in page
   * by default. It posts the fields to the action, and only when the user confirms.
   */
  readonly renderKeptForm?:
    | ((form: FormToSend, request: AuthRequest) => MaybePromise<string>)
    | undefined;
  /**
   * Watches secrets that change while the app runs, for example in a mounted file or a vault.
   * Called when the settings are first needed. The function it returns stops it, and is called by
   * `close()`.
   */
  readonly watchSecrets?: ((observer: SecretsObserver) => () => void) | undefined;
  /** Calls the provider; `globalThis.fetch` by default. */
  readonly fetch?: ((input: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Epoch milliseconds; `Date.now` by default. */
  readonly clock?: (() => number) | undefined;
  /** Random bytes; the generator of Web Crypto by default. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
  /**
   * Keeps the runtime alive for work after a response, in runtimes that would stop: `waitUntil` of
   * `cloudflare:workers`.
   */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  /**
   * Sentences for the operator from the code that made the options. They are logged at the start,
   * with the warnings about the settings.
   */
  readonly warnings?: readonly string[] | undefined;
}

/**
 * Settings that may change while the app runs; absent ones stay. `connections` are all of them,
 * with their secrets: one which is left out is removed.
 */
export type Secrets = Partial<
  Pick<Settings, "secret" | "clientSecret" | "clientAssertionSigningKey" | "connections">
>;

/** Receives secrets. Neither function throws: invalid secrets are logged, and the old ones stay. */
export interface SecretsObserver {
  /** Uses new secrets from now on; invalid ones change nothing. */
  next(secrets: Secrets): void;
  /** They could not be read. */
  error(cause: unknown): void;
}

/**
 * Functions that see a session before it is stored. Each may change it, or refuse it by throwing.
 */
export interface Hooks<Session> {
  /**
   * Runs after the last check of the callback, before the session is made. Throw `SignInRefused` to
   * refuse the user with a sentence of yours. `identity.id` is the key of the user in a database.
   */
  readonly afterCallback?:
    | ((session: Session, request: AuthRequest, identity: Identity) => MaybePromise<Session>)
    | undefined;
  /** Runs before any session is written. */
  readonly beforeSave?: ((session: Session) => MaybePromise<Session>) | undefined;
  /** Runs after a refresh has brought new tokens. */
  readonly afterRefresh?: ((session: Session) => MaybePromise<Session>) | undefined;
}
