import { type Auth, createAuth, type Options } from "../../auth.ts";

/** One sign-in of this process, with the options that were given last. */
interface Shared {
  options: Options;
  readonly auth: Auth;
}

const place = Symbol.for("latchkey/next");

/**
 * The sign-in with these settings, one for the whole process. Next bundles the proxy and the pages apart,
 * and loads edited files again: each would have a store and a table of refreshes of its own.
 *
 * Hooks are those that were given last.
 */
export function sharedAuth(options: Options): Auth {
  const registry = registered();
  const key = keyOf(options);
  const known = registry.get(key);
  if (known !== undefined) {
    known.options = { ...options, store: known.options.store };
    return known.auth;
  }
  const once = { ...options, store: openedOnce(options.store) };
  const newest = () => registry.get(key)?.options.hooks;
  const shared = { options: once, auth: createAuth({ ...once, hooks: newestHooks(newest) }) };
  registry.set(key, shared);
  return shared.auth;
}

/** The options of a shared sign-in, for another one that differs from it and uses the same store. */
export function optionsOf(auth: Auth): Options {
  for (const shared of registered().values()) if (shared.auth === auth) return shared.options;
  throw new TypeError("This sign-in was not made for Next.js.");
}

function registered(): Map<string, Shared> {
  return ((globalThis as { [place]?: Map<string, Shared> })[place] ??= new Map());
}

/** Whatever can be compared: functions and opened stores cannot. */
function keyOf({ store: _store, ...options }: Options): string {
  return JSON.stringify(options);
}

function openedOnce(store: Options["store"]): Options["store"] {
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

function newestHooks(newest: () => Options["hooks"]): NonNullable<Options["hooks"]> {
  return {
    get afterCallback() {
      return newest()?.afterCallback;
    },
    get beforeSave() {
      return newest()?.beforeSave;
    },
    get afterRefresh() {
      return newest()?.afterRefresh;
    },
  };
}
