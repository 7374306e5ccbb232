import type { Problem } from "../errors/problem.ts";
import type { AuthRequest } from "../http/auth-request.ts";
import type { PageWithPolicy, ResponseParts } from "../http/response-parts.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import type { Config } from "./config.ts";

/** What the engine gives to pages. */
export interface PagesSite {
  readonly config: Config;
  /** Whether users choose between several ways to sign in. */
  readonly hasSeveralWays: boolean;
  /** How users know a connection; `undefined` for an unknown id. */
  labelOf(connection: string): string | undefined;
  /** Logs a warning for operators. */
  warn(message: string): void;
  /** Epoch seconds, on the clock of sessions. */
  now(): number;
}

/** A page as HTML. Its policy replaces the one that the app has set before. */
export type Rendered = MaybePromise<string | PageWithPolicy>;

/** Pages as HTML: those of the app, or built-in ones. */
export interface Pages<Auth = unknown, Session = unknown> {
  problem(problem: Problem, request: AuthRequest, session: Session | null): Rendered;
  signedOut(signedOut: SignedOut, request: AuthRequest): Rendered;
  keptForm(form: FormToSend, request: AuthRequest): Rendered;
  /** The ways to sign in, if there are several. By default a plain page. */
  signIn?(choice: SignInChoice, request: AuthRequest): Rendered;
  /** The variables of `latchkey/react` with the look of the pages, as CSS for `brand.css`. */
  readonly brand?: string | undefined;
  /**
   * Path below the prefix of the page that explains why a signed-in user must sign in again. It
   * gets the parameters for login, and `maxAge` in seconds if only the time of the sign-in counts.
   * By default the browser goes to login at once.
   */
  readonly stepUp?: string | undefined;
  /** Folder below the root of pages with built files, which stay open to everyone. */
  readonly files?: string | undefined;
  /**
   * Path of the app below which {@link respond} has its pages: empty for the whole app. By default
   * the prefix of pages.
   */
  readonly root?: string | undefined;
  /**
   * Responds to further requests below the root of pages.
   *
   * @returns `null` for a path of the app
   * @throws errors of `auth`, which become our own responses
   */
  respond?: ((request: PageRequest<Auth>) => Promise<ResponseParts> | null) | undefined;
}

/** A request for one of the pages. */
export interface PageRequest<Auth> extends AuthRequest {
  /** Below the root of pages, without the query, e.g. `/account`. */
  readonly path: string;
  /**
   * Reads the session. No other part of the request does.
   *
   * @throws errors of access rules for the path, which become our own responses
   */
  auth(): Promise<Auth>;
  /**
   * Reads a posted form.
   *
   * @throws {Refusal} if it is too large, malformed or late
   */
  form(): Promise<URLSearchParams>;
}

/** What became of the provider's own session, as far as we know. */
export type ProviderSession = "ended" | "still" | "unconfirmed" | "unknown";

/** What the page after logout says. */
export interface SignedOut {
  /**
   * `ended`: confirmed by the provider. `still`: it has no end-session endpoint. `unconfirmed`: it
   * did not answer, or wrongly.
   */
  readonly provider: ProviderSession;
  /**
   * What became of copied cookies of the session. `ended`: none works any more. `pending`: the
   * store could not be written. `expiring`: without a store, each ends by itself. `undefined` if no
   * session was ended a moment ago.
   */
  readonly copies?: "ended" | "pending" | "expiring" | undefined;
  /** The latest end of these copies, in epoch seconds; `undefined` if they have ended. */
  readonly copiesEndBy?: number | undefined;
  /**
   * How many other devices were signed out with this one, or `"all"` if they cannot be counted;
   * `undefined` if none was to be.
   */
  readonly otherDevices?: number | "all" | undefined;
  /** Starts a sign-in. */
  readonly signInURL: string;
  /** The home page of the app. */
  readonly homeURL: string;
}

/** A form waiting to be sent, for the page that offers it again. */
export interface FormToSend {
  /** Its action: an absolute address of the app. */
  readonly action: string;
  /** They stay out of sight; a name may come more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The home page of the app, for users who do not send it. */
  readonly homeURL: string;
}

/** The ways to sign in among which a user chooses. */
export interface SignInChoice {
  /** The most likely one first. */
  readonly ways: readonly SignInWay[];
  /** The field for an email address, which finds a way; `undefined` if it could find none. */
  readonly email?: EmailField | undefined;
  /** What the user should know first. */
  readonly notice?: SignInNotice | undefined;
  /** Whether the user has requested a page. */
  readonly isAsked: boolean;
  /** Whether the sign-in is for a shared computer; the user may change it. */
  readonly isShared: boolean;
  /** Where the form is posted, with these fields. They stay out of sight. */
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The home page of the app. */
  readonly homeURL: string;
}

/** One way to sign in: the form is posted with its id as `connection`. */
export interface SignInWay {
  readonly id: string;
  readonly label: string;
  /** Whether most users of this browser want it. At most one way is. */
  readonly isSuggested: boolean;
  /** `used`: this browser signed in so the last time. `down`: the provider does not answer. */
  readonly note?: "used" | "down" | undefined;
}

export interface EmailField {
  /** Whether it comes before the ways, since most people find theirs by it. */
  readonly isFirst: boolean;
  /** As typed before; empty at first. */
  readonly value: string;
  /** `unknown`: no way belongs to the domain. `malformed`: it is no email address. */
  readonly fault?: "malformed" | "unknown" | undefined;
}

/**
 * - `down`: no provider of these ways answers
 * - `cancelled`: the user came back without signing in
 * - `refused`: the provider did not let the user in
 * - `ended`: the session that has ended was of this way
 * - `removed`: that way is no longer there
 * - `elsewhere`: another site has begun this sign-in
 */
export interface SignInNotice {
  readonly kind: "cancelled" | "down" | "elsewhere" | "ended" | "refused" | "removed";
  /** Of the way that it concerns, if it is known. */
  readonly label?: string | undefined;
}
