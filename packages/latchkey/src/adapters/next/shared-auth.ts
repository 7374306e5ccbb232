import { type Auth, createAuth, type Options } from "../../host/auth.ts";
import { ambient } from "../../ambient.ts";
import type { Log, LogEvent } from "../../index.ts";
import { ambientLog, asConsoleLog } from "../../host/options.ts";
import { createRecentMap } from "../../time/recent-map.ts";

/** One sign-in of this process, with the latest options. */
interface Shared {
  options: Options;
  readonly auth: Auth;
  /** The log of sign-ins with other options. It repeats no warning of this or another one. */
  readonly logOfOthers: Log;
  /** Whether its proxy has seen a request in this process. */
  hasProxy: boolean;
  /** Shared state of each request, by the object of its headers. */
  readonly requests: WeakMap<object, unknown>;
}

const place = Symbol.for("latchkey/next");

/**
 * Returns the sign-in with these settings, one for the whole process. Next bundles the proxy and
 * the pages apart, and loads edited files again: each would have its own store and table of
 * refreshes.
 *
 * The latest hooks apply.
 */
export function sharedAuth(options: Options): Auth {
  const registry = sharedSignIns();
  const key = keyOf(options);
  const known = registry.get(key);
  if (known !== undefined) {
    known.options = { ...options, store: known.options.store };
    return known.auth;
  }
  const once = { ...options, store: openOnce(options.store) };
  const hooks = new Proxy({}, { get: (_, name) => Reflect.get(shared.options.hooks ?? {}, name) });
  const { log, logOfOthers } = logsOf(options);
  const auth = createAuth({ ...once, log, hooks });
  const shared: Shared = {
    options: once,
    auth,
    logOfOthers,
    hasProxy: false,
    requests: new WeakMap(),
  };
  registry.set(key, shared);
  return shared.auth;
}

/** The options of a shared sign-in, for another one with some differences and the same store. */
export function optionsOf(auth: Auth): Options {
  const { options, logOfOthers } = sharedOf(auth);
  return { ...options, log: logOfOthers };
}

/** Shared, since webpack bundles server actions apart from the pages rendered after them. */
export function requestsOf<T>(auth: Auth): WeakMap<object, T> {
  return sharedOf(auth).requests as WeakMap<object, T>;
}

/** Remembers that the proxy of a shared sign-in runs. */
export function noteProxy(auth: Auth): void {
  sharedOf(auth).hasProxy = true;
}

/**
 * Logs once if a page reads the session and no proxy has run: its file may be in the wrong place.
 */
export function warnWithoutProxy(auth: Auth): void {
  const { hasProxy, logOfOthers } = sharedOf(auth);
  if (hasProxy) return;
  const message =
    "A page reads the session, and no proxy.ts has seen its request or one before it: nothing is guarded, and login is not found. Put proxy.ts beside the folder app, so into src/ where app is there, and let its matcher include this page and /api/auth. An app without proxy.ts exports handlers instead.";
  logOfOthers({ event: "warning", message });
}

function sharedOf(auth: Auth): Shared {
  for (const shared of sharedSignIns().values()) {
    if (shared.auth === auth) return shared;
  }
  throw new TypeError("This sign-in was not made for Next.js.");
}

function sharedSignIns(): Map<string, Shared> {
  return ((globalThis as { [place]?: Map<string, Shared> })[place] ??= new Map());
}

/** Whatever can be compared: functions and opened stores cannot. */
function keyOf({ store: _store, ...options }: Options): string {
  return JSON.stringify(options);
}

function openOnce(store: Options["store"]): Options["store"] {
  if (typeof store !== "function") return store;
  let opening: ReturnType<typeof store> | undefined;
  return async () => {
    try {
      return await (opening ??= store());
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
}

function logsOf(options: Options): { readonly log: Log; readonly logOfOthers: Log } {
  const { log: given = ambientLog(options) } = options;
  const warned = createRecentMap<true>({ clock: ambient.clock, keepMs: Infinity, atMost: 1000 });
  const isNew = (event: LogEvent) => event.event !== "warning" || warned.add(event.message, true);
  const log: Log = (event) => {
    isNew(event);
    given(event);
  };
  return {
    log: options.log === undefined ? asConsoleLog(log) : log,
    logOfOthers: (event) => (isNew(event) ? given(event) : undefined),
  };
}
