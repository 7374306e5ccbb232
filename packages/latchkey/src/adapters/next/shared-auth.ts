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
  const registry = ((globalThis as Registered)[place] ??= new Map());
  const key = keyOf(options);
  const known = registry.get(key);
  if (known !== undefined) {
    known.options = options;
    return known.auth;
  }
  const newest = () => registry.get(key)?.options.hooks;
  const shared = { options, auth: createAuth({ ...options, hooks: newestHooks(newest) }) };
  registry.set(key, shared);
  return shared.auth;
}

type Registered = { [place]?: Map<string, Shared> };

/** Whatever can be compared: functions and opened stores cannot. */
function keyOf({ store: _store, ...options }: Options): string {
  return JSON.stringify(options);
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
