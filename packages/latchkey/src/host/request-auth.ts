import type { AccessRule } from "../config/access-rule.ts";
import type { Activity } from "../activity/list-activity.ts";
import type { WhichDevices } from "../devices/end-devices.ts";
import type { Device } from "../devices/list-devices.ts";
import type { Identity } from "../config/identity.ts";
import type { Explanation } from "../principal/access-rules.ts";
import type { AccessTokenRequest } from "../refresh/access-token-request.ts";
import type { GivenParams } from "../request/login-params.ts";
import type { Claims, EndReason, Session, SessionData, SessionTimes } from "../session/session.ts";

/**
 * Sign-in as a handler sees it: who makes this request, and what can be done with their session.
 */
export interface RequestAuth {
  /**
   * The session; `null` without a signed-in user. No shared cache may keep the response of a
   * handler that reads it.
   */
  readonly session: Session | null;
  /** The claims of the signed-in user; `null` without one. */
  readonly user: Claims | null;
  /** Why there is no session, if the request carried an ended one. */
  readonly ended: EndReason | undefined;
  /** The times of that session; `null` without one, or if it could not be read. */
  readonly endedTimes: SessionTimes | null;
  /**
   * How the caller authenticated: by a session, or by an access token if the option `api` is set;
   * `null` without a caller. For a token, `session` is a view of its claims and times that cannot
   * be changed.
   */
  readonly credential: "session" | "access_token" | null;
  /**
   * The id of the connection of the session: `default` for the provider of the flat settings;
   * `null` without a session.
   */
  readonly connection: string | null;
  /** Whose account it is: once there are several providers, `user.sub` alone is no key. */
  readonly identity: Identity | null;
  /** The claims of the caller: those of the user, or all of the access token. */
  readonly claims: Claims | null;
  /** The granted scopes; empty without a caller. */
  readonly scopes: readonly string[];
  /** The client that calls: this app for a session; `null` without a caller. */
  readonly client: string | null;
  /**
   * The same, for a signed-in user: after it `user` and `session` are not null.
   *
   * The host turns what it throws into our own response: the way to login for a page, 401 or 403
   * else.
   *
   * @param rule - who may go on; by default every signed-in user may
   * @throws {SignInRequired} without a signed-in user
   * @throws {Forbidden} if the rule does not hold
   * @throws {StepUpRequired} if only `maxAge` or `acr` of the rule do not hold: a new sign-in may
   *   help
   * @throws {TypeError} if it is no rule
   */
  require(rule?: AccessRule<Session>): SignedIn;
  /**
   * Begins a sign-in, also of a signed-in user: the host sends the browser to login. A script gets
   * a 401.
   *
   * @throws {SignInRequired} always
   * @throws {TypeError} for a parameter of the protocol, such as `scope`
   * @throws {Refusal} `parameter_invalid` for a value that is no text, has control characters or is
   *   too long, or for what is no id of a connection; the host responds with 400
   */
  login(login?: LoginOptions): never;
  /**
   * Returns which parts of a rule hold, and refuses no user; without a session none does.
   *
   * @throws {TypeError} if it is no rule
   */
  explain(rule: AccessRule<Session>): Explanation;
  /**
   * Returns a good access token. It is refreshed from 60 s before its end on; while another
   * request refreshes it, or the provider does not answer, the one at hand is used while it is
   * good.
   *
   * @throws {AccessTokenError} one of the codes of the specification, section 8,
   *   `ERR_REFRESH_UNDER_WAY`, or one of token exchange; one with `retryAfterSeconds` passes by
   *   itself, and the host answers it with 503
   * @throws {LatchkeyError} `ERR_HEADERS_SENT` if a refresh is due and the head of the response has
   *   left
   */
  accessToken(request?: AccessTokenRequest): Promise<string>;
  /**
   * Keeps other data in the session, as JSON; `null` without a session. Unchanged data write
   * nothing.
   *
   * @param change - returns the new data; may be called again if another request changed the
   *   session meanwhile
   * @throws {TypeError} if it would be no session any more, or cannot be JSON
   * @throws {Refusal} `session_too_large`: no browser would bring it back, or it has more than 128
   *   KiB sealed in the store; the session stays as it was
   * @throws {LatchkeyError} `ERR_HEADERS_SENT` after the head of the response has left; the session
   *   stays as it was
   */
  update(change: (session: SessionData) => SessionData): Promise<Session | null>;
  /** Renews the session whatever `renewAfter` says; `null` without one. */
  touch(): Promise<Session | null>;
  /**
   * The devices of the user, this browser first; `null` if sessions live in cookies
   * (`session.stateful` off): then there is no list.
   *
   * @throws {Refusal} `store_unavailable`
   */
  devices(): Promise<readonly Device[] | null>;
  /**
   * Recent events of the user's sign-ins: the last ten of thirty days, newest first; `null`
   * unless the setting `activity` is on.
   *
   * @throws {Refusal} `store_unavailable`
   */
  activity(): Promise<readonly Activity[] | null>;
  /**
   * Gives one sign-in of the user, named by `Device.id`, a name: one line of any script, without
   * markup. An empty one takes the name away. It stays as long as that sign-in, and is taken over
   * by the next one in the same browser.
   *
   * @returns the device as it is then; `null` if the id names no sign-in of this user, or there is
   *   no list
   * @throws {RangeError} if the name has more than 60 characters
   * @throws {Refusal} `store_unavailable`
   */
  renameDevice(id: string, name: string): Promise<Device | null>;
  /**
   * Ends one sign-in of the user, named by `Device.id`; never those of others. Its browser is
   * signed out at its next request. Call it for requests of your own pages only: see
   * `isSameOrigin`.
   *
   * @returns what was ended, nothing if the id names no sign-in of this user; `null` without a list
   * @throws {Refusal} `store_unavailable`
   */
  endDevice(id: string): Promise<readonly Device[] | null>;
  /**
   * Ends all sign-ins of the user: `"others"` all but this one, if there is a list; `"all"` this
   * one too, wherever there is a store. Later sign-ins are not concerned.
   *
   * @returns what was ended, as far as it can be listed; `null` if it cannot be done
   * @throws {Refusal} `store_unavailable`
   */
  endDevices(which: WhichDevices): Promise<readonly Device[] | null>;
}

/** A sign-in that a handler begins. */
export interface LoginOptions {
  /**
   * The id of the connection. By default that of the session, the only one of the app, or the one
   * which the user chooses.
   */
  readonly connection?: string | undefined;
  /** The page afterwards: a path of the app. By default the home page. */
  readonly returnTo?: string | undefined;
  /**
   * For a shared computer: the session ends with the browser and after 15 minutes without use, and
   * signing out also ends the session at the provider. By default false.
   */
  readonly shared?: boolean | undefined;
  /**
   * Parameters for the provider, such as `screen_hint`; those that are `undefined` are left out. No
   * setting has to allow them. `max_age` and `acr_values` are checked in the ID token.
   */
  readonly params?: GivenParams | undefined;
}

/** {@link RequestAuth} of a signed-in user. */
export interface SignedIn extends RequestAuth {
  readonly credential: "session" | "access_token";
  readonly claims: Claims;
  readonly session: Session;
  readonly user: Claims;
}
