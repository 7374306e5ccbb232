import { listActivity } from "../activity/list-activity.ts";
import { endAllDevices, endDevices } from "../devices/end-devices.ts";
import { listDevices } from "../devices/list-devices.ts";
import { renameDevice } from "../devices/rename-device.ts";
import { SignInRequired } from "../errors/access-errors.ts";
import { accessErrorOf, firstStepUp } from "../principal/access-rules.ts";
import { type Principal, principalOfSession } from "../principal/principal.ts";
import { accessTokenFor } from "../refresh/access-token.ts";
import type { Exchange } from "../request/exchange.ts";
import { readGivenConnection, readGivenParams } from "../request/login-params.ts";
import { touchSession, updateSession } from "../request/save-session.ts";
import { timesOf } from "../session/lifetime.ts";
import { activeSession, type SessionResult } from "../session/read-session.ts";
import type { EndReason, Session, SessionTimes, StoredSession } from "../session/session.ts";
import type { HostContext } from "./host-context.ts";
import { PrincipalAuth } from "./principal-auth.ts";
import type { RequestAuth, SignedIn } from "./request-auth.ts";

const notAChange =
  "update() takes a function that returns the session: update((session) => ({ ...session, theme })).";

/** The object for handlers of a request that counts by its session. */
export class SessionAuth extends PrincipalAuth implements RequestAuth {
  readonly #context: HostContext;
  readonly #exchange: Exchange;
  #known: { readonly stored: StoredSession; readonly principal: Principal } | null = null;

  constructor(context: HostContext, exchange: Exchange, onRefusal: (error: unknown) => void) {
    super(context, onRefusal);
    this.#context = context;
    this.#exchange = exchange;
  }

  get principal(): Principal | null {
    const stored = activeSession(this.#current());
    return stored && this.#principalOf(stored);
  }

  get ended(): EndReason | undefined {
    const result = this.#current();
    if (result?.state === "unproved") return "unproved";
    return result?.state === "ended" ? result.reason : undefined;
  }

  get endedTimes(): SessionTimes | null {
    const result = this.#current();
    if (result?.state !== "ended" || result.stored === null) return null;
    const { header } = result.stored;
    return timesOf(header, this.#context.connections.ofSession(header).lifetime);
  }

  readonly require: RequestAuth["require"] = (rule = () => true) => {
    const explanation = this.explain(rule);
    if (this.principal === null) return this.refuse(new SignInRequired(firstStepUp(explanation)));
    const refusal = accessErrorOf(explanation);
    if (refusal !== null) return this.refuse(refusal);
    // Both are not null, as was just seen.
    return this as SignedIn;
  };

  readonly login: RequestAuth["login"] = ({ connection, params = {}, ...login } = {}) => {
    let error: unknown;
    try {
      error = new SignInRequired(undefined, {
        connection: readGivenConnection(connection),
        returnTo: login.returnTo,
        shared: login.shared,
        params: readGivenParams(params),
      });
    } catch (invalid) {
      error = invalid;
    }
    return this.refuse(error);
  };

  readonly accessToken: RequestAuth["accessToken"] = (request) =>
    accessTokenFor(this.#context, this.#exchange, request).catch(this.refuse);

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
      return this.refuse(error);
    }
  }

  #saved(saving: Promise<StoredSession | null>): Promise<Session | null> {
    const shown = saving.then((stored) => stored && this.#principalOf(stored).session);
    return this.#handled(shown.catch(this.refuse));
  }

  /**
   * If a handler forgets to await a change, the head of the response leaves first. The failure is
   * logged then, and an unhandled rejection would end the process.
   */
  #handled<T>(changing: Promise<T>): Promise<T> {
    changing.catch(() => undefined);
    return changing;
  }

  #principalOf(stored: StoredSession): Principal {
    if (this.#known?.stored !== stored) {
      this.#known = { stored, principal: principalOfSession(stored, this.#context) };
    }
    return this.#known.principal;
  }
}
