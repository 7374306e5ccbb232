import type { Context } from "../context.ts";
import type { AccessRule } from "../config/access-rule.ts";
import { SignInRequired } from "../errors/access-errors.ts";
import { LatchkeyError } from "../errors/latchkey-error.ts";
import { timesOf } from "../session/lifetime.ts";
import { activeSession, type SessionResult } from "../session/read-session.ts";
import type { Claims, EndReason, Session, SessionData, StoredSession } from "../session/session.ts";
import { type Explanation, explainRule, accessErrorOf } from "./guard/access-rules.ts";
import { type AccessTokenRequest, accessTokenFor } from "./access-token.ts";
import { type Activity, listActivity } from "./activity/list-activity.ts";
import { type Device, listDevices } from "./devices/list-devices.ts";
import {
  endAllDevices,
  endDevices,
  type WhenToEnd,
  type WhichDevices,
} from "./devices/end-devices.ts";
import { renameDevice } from "./devices/rename-device.ts";
import { undoEnds } from "./devices/undo-ends.ts";
import type { Exchange } from "./exchange.ts";
import { touchSession, updateSession } from "./save-session.ts";

/** Sign-in as a handler sees it: who makes this request, and what can be done with their session. */
export interface RequestAuth {
  /** The session; `null` where nobody is signed in. Whatever handler reads it, no shared cache may keep its response. */
  readonly session: Session | null;
  /** The claims of the signed-in user; `null` where nobody is signed in. */
  readonly user: Claims | null;
  /** Why there is no session, where the request carried one that has ended. */
  readonly ended: EndReason | undefined;
  /**
   * The same, for a signed-in user: after it `user` and `session` are not null.
   *
   * The host turns what it throws into our own response: the way to login for a page, 401 or 403 else.
   *
   * @param rule - who may go on; by default every signed-in user may
   * @throws {SignInRequired} where nobody is signed in
   * @throws {Forbidden} where the rule does not hold
   * @throws {StepUpRequired} where only `maxAge` or `acr` of the rule do not hold: a new sign-in may mend that
   * @throws {TypeError} where it is no rule
   */
  require(rule?: AccessRule<Session>): SignedIn;
  /**
   * Tells which parts of a rule hold, and refuses nobody; without a session none does.
   *
   * @throws {TypeError} where it is no rule
   */
  explain(rule: AccessRule<Session>): Explanation;
  /**
   * An access token that is good now. It is refreshed from 60 s before its end on; where another request refreshes it, or
   * the provider does not answer, the one at hand is used while it is good.
   *
   * @throws {AccessTokenError} one of the codes of the specification, section 8, or `ERR_REFRESH_UNDER_WAY`; one with
   *   `retryAfterSeconds` passes by itself, and the host answers it with 503
   * @throws {LatchkeyError} `ERR_HEADERS_SENT` where a refresh is due and the head of the response has left
   */
  accessToken(asked?: AccessTokenRequest): Promise<string>;
  /**
   * Keeps other data in the session, as JSON; `null` where there is no session. Data that stay as they are write nothing.
   *
   * @param change - returns the new data; may be called again where somebody else changed the session meanwhile
   * @throws {TypeError} where it would be no session any more, or cannot be JSON
   * @throws {Refusal} `session_too_large`: no browser would bring it back, or it has more than 128 KiB sealed in the store;
   *   the session stays as it was
   * @throws {LatchkeyError} `ERR_HEADERS_SENT` after the head of the response has left; the session stays as it was
   */
  update(change: (session: SessionData) => SessionData): Promise<Session | null>;
  /** Renews the session whatever `renewAfter` says; `null` where there is none. */
  touch(): Promise<Session | null>;
  /**
   * Where the user is signed in, this browser first; `null` where sessions live in cookies
   * (`session.stateful` off): then there is no list.
   *
   * @throws {Refusal} `store_unavailable`
   */
  devices(): Promise<readonly Device[] | null>;
  /**
   * What has happened to the user's sign-ins lately: the last ten events of thirty days, newest first; `null` where
   * there is no store.
   *
   * @throws {Refusal} `store_unavailable`
   */
  activity(): Promise<readonly Activity[] | null>;
  /**
   * Gives one sign-in of the user, named by `Device.id`, a name that they know it by: one line of any script, without
   * markup. An empty one takes the name away. It stays as long as that sign-in, and is taken over by the next one in
   * the same browser.
   *
   * @returns the device as it is then; `null` where the id names no sign-in of this user, and where there is no list
   * @throws {RangeError} where the name has more than 60 characters
   * @throws {Refusal} `store_unavailable`
   */
  renameDevice(id: string, name: string): Promise<Device | null>;
  /**
   * Ends one sign-in of the user, named by `Device.id`; nobody else's can be ended. Its browser is signed
   * out at its next request. Call it for requests of your own pages only: see `isSameOrigin`.
   *
   * @param when - gives the person time to take it back with {@link undoEnds}; this browser ends immediately
   * @returns what was ended or will be, nothing where the id names no sign-in of this user; `null` where there is no list
   * @throws {TypeError} where `afterSeconds` is no whole number from 0 to 60
   * @throws {Refusal} `store_unavailable`
   */
  endDevice(id: string, when?: WhenToEnd): Promise<readonly Device[] | null>;
  /**
   * Ends all sign-ins of the user: `"others"` all but this one, where there is a list; `"all"` this one too,
   * wherever there is a store. Later sign-ins are not concerned.
   *
   * @param when - as for {@link endDevice}; `"all"` ends immediately
   * @returns what was ended or will be, as far as it can be listed; `null` where that cannot be done
   * @throws {TypeError} where `afterSeconds` is no whole number from 0 to 60
   * @throws {Refusal} `store_unavailable`
   */
  endDevices(which: WhichDevices, when?: WhenToEnd): Promise<readonly Device[] | null>;
  /**
   * Takes back ends that this browser has asked for and that have not come: those of some sign-ins, named by
   * `Device.id`, or all.
   *
   * @returns what stays signed in, nothing where it is too late; `null` where there is no list
   * @throws {Refusal} `store_unavailable`
   */
  undoEnds(ids?: readonly string[]): Promise<readonly Device[] | null>;
}

const notAChange =
  "update() takes a function that returns the session: update((session) => ({ ...session, theme })).";

/** {@link RequestAuth} of a signed-in user. */
export interface SignedIn extends RequestAuth {
  readonly session: Session;
  readonly user: Claims;
}

/**
 * The object that handlers use.
 *
 * A class, since its getters are then made once: getters of an object literal cost each request a
 * hidden class of its own, which outlives the request. Methods are fields, so that handlers may
 * take the object apart.
 */
export class ExchangeAuth implements RequestAuth {
  readonly #context: Context;
  readonly #exchange: Exchange;
  readonly #onRefusal: (error: unknown) => void;
  #shown: { readonly stored: StoredSession; readonly session: Session } | null = null;

  /** @param onRefusal - told of what is thrown here, also where the host never passes it on */
  constructor(context: Context, exchange: Exchange, onRefusal: (error: unknown) => void) {
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

  readonly require: RequestAuth["require"] = (rule = () => true) => {
    if (this.session === null) return this.#refuse(new SignInRequired());
    const refusal = accessErrorOf(this.explain(rule));
    if (refusal !== null) return this.#refuse(refusal);
    // Both are not null, as was just seen.
    return this as SignedIn;
  };

  readonly explain: RequestAuth["explain"] = (rule) => {
    const stored = activeSession(this.#current());
    return explainRule(this.#context, stored, { rule, session: stored && this.#show(stored) });
  };

  readonly accessToken: RequestAuth["accessToken"] = (asked) =>
    accessTokenFor(this.#context, this.#exchange, asked).catch(this.#refuse);

  readonly update: RequestAuth["update"] = (change) =>
    typeof change === "function"
      ? this.#saved(updateSession(this.#context, this.#exchange, change))
      : Promise.reject(new TypeError(notAChange));

  readonly touch: RequestAuth["touch"] = () =>
    this.#saved(touchSession(this.#context, this.#exchange));

  readonly devices: RequestAuth["devices"] = () => listDevices(this.#context, this.#exchange);

  readonly activity: RequestAuth["activity"] = () => listActivity(this.#context, this.#exchange);

  readonly renameDevice: RequestAuth["renameDevice"] = (id, name) =>
    renameDevice(this.#context, this.#exchange, { id, name });

  readonly endDevice: RequestAuth["endDevice"] = (id, when) =>
    endDevices(this.#context, this.#exchange, { reason: "device", id }, when);

  readonly endDevices: RequestAuth["endDevices"] = (which, when) =>
    which === "all"
      ? endAllDevices(this.#context, this.#exchange)
      : endDevices(this.#context, this.#exchange, { reason: "others" }, when);

  readonly undoEnds: RequestAuth["undoEnds"] = (ids) =>
    undoEnds(this.#context, this.#exchange, ids);

  #current(): SessionResult | null {
    try {
      return this.#exchange.current();
    } catch (error) {
      return this.#refuse(error);
    }
  }

  /**
   * Where a handler forgets to await a change, the head leaves first. The log has told of that then, and a rejection that
   * nobody handles would end the process.
   */
  #saved(saving: Promise<StoredSession | null>): Promise<Session | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Session | null>();
    saving.catch(this.#refuse).then(
      (stored) => resolve(stored && this.#show(stored)),
      (error: unknown) => {
        if (isHeadersSent(error)) promise.catch(() => undefined);
        reject(error);
      },
    );
    return promise;
  }

  #show(stored: StoredSession): Session {
    if (this.#shown?.stored !== stored) {
      this.#shown = { stored, session: sessionOf(this.#context, stored) };
    }
    return this.#shown.session;
  }

  readonly #refuse = (error: unknown): never => {
    this.#onRefusal(error);
    throw error;
  };
}

function isHeadersSent(error: unknown): boolean {
  return error instanceof LatchkeyError && error.code === "ERR_HEADERS_SENT";
}

/** A session as an app sees it. */
export function sessionOf({ config }: Context, { header, data }: StoredSession): Session {
  return { ...data, times: timesOf(header, config.session.lifetime) };
}
