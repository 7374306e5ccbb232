import type { Config } from "../config/config.ts";
import { loopCookie } from "../config/constants.ts";
import { type KeyRing, openText, sealText } from "../crypto/key-ring.ts";
import { clearCookie, type CookieAttributes, type Cookies, setCookie } from "../http/cookies.ts";

/** Finished sign-ins of a browser, each within a minute of the one before. */
export interface SignInCount {
  /** Since the session came back last. */
  readonly lost: number;
  readonly all: number;
}

/**
 * Counts finished sign-ins in a cookie of the browser. Sealed and short-lived: a counter that somebody else plants
 * counts for nothing.
 */
export interface LoopCounter {
  count(cookies: Cookies): SignInCount;
  /** One more finished sign-in; the first of those that were lost where the session of the one before has come back. */
  recordSignIn(cookies: Cookies, cameBack: boolean): string;
  /** No loop. Nothing where nothing was counted. */
  reset(cookies: Cookies): readonly string[];
}

export interface LoopCounterOptions {
  readonly config: Config;
  readonly keys: () => KeyRing;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

const windowSeconds = 60;
const none: SignInCount = { lost: 0, all: 0 };

export function createLoopCounter({ config, keys, clock }: LoopCounterOptions): LoopCounter {
  const name = loopCookieName(config);
  const { path, secure } = config.session.cookie;
  const attributes: CookieAttributes = { path, secure, sameSite: "lax" };
  const nowSeconds = () => Math.floor(clock() / 1000);

  function count(cookies: Cookies): SignInCount {
    const opened = openText(keys(), cookies[name] ?? "");
    if (typeof opened === "string") return none;
    const [lost = 0, until = 0, all = lost] = opened.text.split(" ").map(Number);
    return until > nowSeconds() ? { lost, all } : none;
  }

  return {
    count,
    recordSignIn(cookies, cameBack) {
      const before = count(cookies);
      const lost = cameBack ? 1 : before.lost + 1;
      const until = nowSeconds() + windowSeconds;
      const text = `${lost} ${until} ${before.all + 1}`;
      return setCookie(name, sealText(keys(), {}, text), attributes, until);
    },
    reset: (cookies) => (cookies[name] === undefined ? [] : [clearCookie(name, attributes)]),
  };
}

/** With the `__Host-` prefix where the transactions are bound by it, too. */
function loopCookieName({ transactionCookie, session }: Config): string {
  return transactionCookie.binding !== null && session.cookie.path === "/"
    ? `__Host-${loopCookie}`
    : loopCookie;
}
