import { timesOf, toSession } from "../session/lifetime.ts";
import type { AccessRule } from "../config/access-rule.ts";
import { SignInRequired } from "../errors/access-errors.ts";
import { activeSession, type SessionResult } from "../session/read-session.ts";
import {
  type Claims,
  type EndReason,
  scopesOf,
  type Session,
  type SessionData,
  type SessionTimes,
  type StoredSession,
} from "../session/session.ts";
import {
  type Explanation,
  explainRule,
  accessErrorOf,
  firstStepUp,
} from "../request/guard/access-rules.ts";
import { accessTokenFor } from "../refresh/access-token.ts";
import type { AccessTokenRequest } from "../refresh/access-token-request.ts";
import { type Activity, listActivity } from "../activity/list-activity.ts";
import { type Device, listDevices } from "../devices/list-devices.ts";
import { endAllDevices, endDevices, type WhichDevices } from "../devices/end-devices.ts";
import { renameDevice } from "../devices/rename-device.ts";
import type { Exchange } from "../request/exchange.ts";
import type { HostContext } from "./host-context.ts";
import { type GivenParams, readGivenParams } from "../request/login-params.ts";
import { touchSession, updateSession } from "../request/save-session.ts";

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
   *   too long; the host responds with 400
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

const notAChange =
  "update() takes a function that returns the session: update((session) => ({ ...session, theme })).";

/** {@link RequestAuth} of a signed-in user. */
export interface SignedIn extends RequestAuth {
  readonly credential: "session" | "access_token";
  readonly claims: Claims;
  readonly session: Session;
  readonly user: Claims;
}

/**
 * The object for handlers.
 *
 * A class, since its getters are then made once: getters of an object literal cost each request a
 * hidden class of its own, which outlives the request. Methods are fields: handlers may
 * take the object apart.
 */
export class ExchangeAuth implements RequestAuth {
  readonly #context: HostContext;
  readonly #exchange: Exchange;
  readonly #onRefusal: (error: unknown) => void;
  #shown: { readonly stored: StoredSession; readonly session: Session } | null = null;

  /** @param onRefusal - receives what is thrown here, also if the host never passes it on */
  constructor(context: HostContext, exchange: Exchange, onRefusal: (error: unknown) => void) {
    this.#context = context;
    this.#exchange = exchange;
    this.#onRefusal = onRefusal;
  }

  get session(): Session | null {
    const stored = activeSession(this.#current());
    return stored && this.#show(stored);
  }

  get user(): Claims | null {
    return this.session?.user ?? null;
  }

  get ended(): EndReason | undefined {
    const result = this.#current();
    return result?.state === "ended" ? result.reason : undefined;
  }

  get endedTimes(): SessionTimes | null {
    const result = this.#current();
    if (result?.state !== "ended" || result.stored === null) return null;
    return timesOf(result.stored.header, this.#context.config.session.lifetime);
  }

  get credential(): "session" | null {
    return this.session === null ? null : "session";
  }

  get claims(): Claims | null {
    return this.user;
  }

  get scopes(): readonly string[] {
    return scopesOf(this.session ?? {});
  }

  get client(): string | null {
    return this.session === null ? null : this.#context.config.clientID;
  }

  readonly require: RequestAuth["require"] = (rule = () => true) => {
    const explanation = this.explain(rule);
    if (this.session === null) return this.#refuse(new SignInRequired(firstStepUp(explanation)));
    const refusal = accessErrorOf(explanation);
    if (refusal !== null) return this.#refuse(refusal);
    // Both are not null, as was just seen.
    return this as SignedIn;
  };

  readonly login: RequestAuth["login"] = ({ returnTo, shared, params = {} } = {}) => {
    let error: unknown;
    try {
      error = new SignInRequired(undefined, { returnTo, shared, params: readGivenParams(params) });
    } catch (invalid) {
      error = invalid;
    }
    return this.#refuse(error);
  };

  readonly explain: RequestAuth["explain"] = (rule) => {
    const stored = activeSession(this.#current());
    return explainRule(this.#context, stored, { rule, session: stored && this.#show(stored) });
  };

  readonly accessToken: RequestAuth["accessToken"] = (request) =>
    accessTokenFor(this.#context, this.#exchange, request).catch(this.#refuse);

  readonly update: RequestAuth["update"] = (change) =>
    typeof change === "function"
      ? this.#saved(updateSession(this.#context, this.#exchange, change))
      : Promise.reject(new TypeError(notAChange));

  readonly touch: RequestAuth["touch"] = () =>
    this.#saved(touchSession(this.#context, this.#exchange));

  readonly devices: RequestAuth["devices"] = () => listDevices(this.#context, this.#exchange);

  readonly activity: RequestAuth["activity"] = () =>
    listActivity(this.#context.activity, this.#context, this.#exchange);

  readonly renameDevice: RequestAuth["renameDevice"] = (id, name) =>
    this.#handled(renameDevice(this.#context, this.#exchange, { id, name }));

  readonly endDevice: RequestAuth["endDevice"] = (id) =>
    this.#handled(endDevices(this.#context, this.#exchange, { reason: "device", id }));

  readonly endDevices: RequestAuth["endDevices"] = (which) =>
    this.#handled(
      which === "all"
        ? endAllDevices(this.#context, this.#exchange)
        : endDevices(this.#context, this.#exchange, { reason: "others" }),
    );

  #current(): SessionResult | null {
    try {
      return this.#exchange.current();
    } catch (error) {
      return this.#refuse(error);
    }
  }

  #saved(saving: Promise<StoredSession | null>): Promise<Session | null> {
    const shown = saving.then((stored) => stored && this.#show(stored));
    return this.#handled(shown.catch(this.#refuse));
  }

  /**
   * If a handler forgets to await a change, the head of the response leaves first. The failure is
   * logged then, and an unhandled rejection would end the process.
   */
  #handled<T>(changing: Promise<T>): Promise<T> {
    changing.catch(() => undefined);
    return changing;
  }

  #show(stored: StoredSession): Session {
    if (this.#shown?.stored !== stored) {
      this.#shown = { stored, session: toSession(stored, this.#context.config.session.lifetime) };
    }
    return this.#shown.session;
  }

  readonly #refuse = (error: unknown): never => {
    this.#onRefusal(error);
    throw error;
  };
}
