import { andThen, type Awaitable, orElse } from "./awaitable.ts";
import {
  type AccessToken,
  type AccessTokenRequest,
  accessTokenFor,
} from "./access/access-token.ts";
import {
  type Device,
  endAllDevices,
  endDevice,
  type EndedDevices,
  endOtherDevices,
  listDevices,
  type WhichDevices,
} from "./access/devices.ts";
import { type GuardedRequest, guardRequest } from "./access/guard.ts";
import { updateSession } from "./access/update-session.ts";
import { visitRequest } from "./access/visit-request.ts";
import { type Config, readConfig } from "./config/config.ts";
import type { Parts } from "./config/parts.ts";
import type { Settings } from "./config/settings.ts";
import { storeFaults } from "./config/store-faults.ts";
import { createContext } from "./create-context.ts";
import { ConfigError, type ConfigFault } from "./errors/config-error.ts";
import { type Answer, toResponse } from "./http/answers.ts";
import { errorAnswer } from "./routes/error-answer.ts";
import { createRouteTable, routeRequest } from "./routes/index.ts";
import { type Peek, peekAt } from "./routes/peek.ts";
import { readSignedOut, type SignedOut } from "./routes/post-logout.ts";
import type { SessionData } from "./session/session.ts";
import type { Visit } from "./session/visit.ts";
import type { Store } from "./stores/store.ts";

/** Settings and parts together: what `createAuth` takes. */
export interface Options extends Settings, Parts<SessionData, Store, SignedOut> {}

/** Whether a request may go on to the app. `visit` is absent where the path needs no sign-in. */
export type Guarded =
  | { readonly passed: true; readonly visit?: Visit }
  | { readonly passed: false; readonly response: Response };

/**
 * Sign-in for one app at one provider.
 *
 * What is `Awaitable` is there at once where nothing had to be waited for, as in most requests; `await` takes both.
 */
export interface Auth {
  /** @throws {ConfigError} where the settings are wrong */
  readonly config: Config;
  /**
   * Opens the store, where a function was passed for it.
   *
   * @throws {ConfigError} with every fault, that of the store included
   */
  ready(): Promise<void>;
  /** Closes the store that `ready` or a request has opened; one that was passed stays open. */
  close(): Promise<void>;
  /**
   * Answers login, callback, logout, me and back-channel logout, and `session.json` for scripts; `undefined`
   * where the path is not ours and the app goes on.
   */
  handle(request: Request): Awaitable<Response> | undefined;
  /** The same as values, for hosts that write answers themselves and want nothing in between. */
  answer(request: Request): Awaitable<Answer> | undefined;
  /** Route protection: may this request go on? Where not, `response` is the answer. */
  guard(request: Request): Awaitable<Guarded>;
  /** The same as values. */
  protect(request: Request): Awaitable<GuardedRequest>;
  /** Reads and by default renews the session; once per request, however often it is asked. */
  visit(request: Request): Awaitable<Visit>;
  /** Whether the session of this request was read: then its answer must carry `visit(request).headers`. */
  hasVisited(request: Request): boolean;
  /** Reads without renewing, clearing or changing anything. */
  peek(request: Request): Awaitable<Peek>;
  /** For the page after logout: what became of the session at the provider. */
  signedOut(request: Request): SignedOut;
  /** An access token for calls to other services; see `accessTokenFor`. */
  accessToken(request: Request, asked?: AccessTokenRequest): Promise<AccessToken>;
  /**
   * Keeps other data in the session; `null` where there is no session.
   *
   * @throws {TypeError} where it would be no session any more
   * @throws {Refusal} `session_too_large`: no browser would bring it back; the session stays as it was
   */
  update(request: Request, change: (session: SessionData) => SessionData): Promise<Visit | null>;
  /** Renews the session whatever `renewAfter` says; `null` where there is none. */
  touch(request: Request): Promise<Visit | null>;
  /**
   * Where the person of this request is signed in, this browser first; `null` where sessions live in cookies
   * (`session.stateful` off): then there is no list.
   *
   * @throws {Refusal} `store_unavailable`
   */
  devices(request: Request): Promise<readonly Device[] | null>;
  /**
   * Ends one sign-in of the person of this request, named by `Device.id`; nobody else's can be ended. Its browser
   * is signed out at its next request. Call it for requests of your own pages only: see `isSameOrigin`.
   *
   * @returns what was ended, nothing where the id names no sign-in of this person; `null` where there is no list
   * @throws {Refusal} `store_unavailable`
   */
  endDevice(request: Request, id: string): Promise<EndedDevices | null>;
  /**
   * Ends all sign-ins of the person of this request: `"others"` all but this one, where there is a list; `"all"` this
   * one too, wherever there is a store, whatever sessions live in. Later sign-ins are not concerned. The answer must carry
   * `headers`.
   *
   * @returns `null` where that cannot be done
   * @throws {Refusal} `store_unavailable`
   */
  endDevices(request: Request, which: WhichDevices): Promise<EndedDevices | null>;
}

/**
 * Makes the sign-in of an app. Checks every setting at once and makes no call to anybody.
 *
 * @throws {ConfigError} with every fault
 */
export function createAuth(options: Options): Auth {
  const { store, log, hooks, renderProblem, renderSignedOut, fetch, clock, random, ...rest } =
    options;
  const { warnings, ...settings } = rest;
  if (typeof store === "function") return authWithOpener(options, store);
  const config = readConfig(settings, { hasStore: store !== undefined });
  const parts = { store, log, hooks, renderProblem, renderSignedOut, fetch, clock, random };
  const context = createContext(config, { ...parts, warnings });
  const table = createRouteTable(context);

  function handle(request: Request): Awaitable<Response> | undefined {
    const answer = routeRequest(context, table, request);
    return answer && andThen(answer, toResponse);
  }

  function guard(request: Request): Awaitable<Guarded> {
    return andThen(protect(request), (guarded) =>
      guarded.passed ? guarded : { passed: false, response: toResponse(guarded.answer) },
    );
  }

  function protect(request: Request): Awaitable<GuardedRequest> {
    return orElse(
      () => guardRequest(context, request),
      async (error) => ({
        passed: false,
        answer: await errorAnswer(context, request, "guard", error),
      }),
    );
  }

  return {
    config,
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
    handle,
    answer: (request) => routeRequest(context, table, request),
    guard,
    protect,
    visit: (request) => visitRequest(context, request),
    hasVisited: (request) => context.visits.of(request) !== undefined,
    peek: (request) => peekAt(context, request),
    signedOut: (request) => readSignedOut(context, request),
    accessToken: (request, asked) => accessTokenFor(context, request, asked),
    update: (request, change) => updateSession(context, request, change),
    touch: (request) => updateSession(context, request, (session) => session),
    devices: (request) => listDevices(context, request),
    endDevice: (request, id) => endDevice(context, request, id),
    endDevices: (request, which) =>
      which === "all" ? endAllDevices(context, request) : endOtherDevices(context, request),
  };
}

/** Sign-in whose settings are judged, and whose store is opened, when they are first needed. */
function authWithOpener(options: Options, open: () => Store | Promise<Store>): Auth {
  let opening: Promise<Store> | undefined;
  const opened = () => (opening ??= Promise.resolve().then(open));
  // Every operation of the store waits until it is open.
  const storeOnceOpen = new Proxy({} as Store, {
    get:
      (_, name: keyof Store) =>
      async (...given: never[]) =>
        Reflect.apply((await opened())[name], undefined, given),
  });
  let made: Auth | undefined;
  const auth = () => (made ??= createAuth({ ...options, store: storeOnceOpen }));
  async function ready(): Promise<void> {
    const faults = [...faultsIn(auth), ...(await opened().then(() => [], storeFaults))];
    if (faults.length > 0) throw new ConfigError(faults);
  }
  // What could not be opened need not be closed.
  const close = async () =>
    opening?.then(
      (store) => store.close(),
      () => undefined,
    );
  return new Proxy({} as Auth, {
    get: (_, name) =>
      name === "ready" ? ready : name === "close" ? close : Reflect.get(auth(), name),
  });
}

function faultsIn(judge: () => unknown): readonly ConfigFault[] {
  try {
    judge();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
