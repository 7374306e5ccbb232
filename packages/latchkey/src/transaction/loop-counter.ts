import type { Config } from "../config/config.ts";
import { loopCookie } from "../config/constants.ts";
import { type KeyRing, openText, sealText } from "../crypto/key-ring.ts";
import { clearCookie, type CookieAttributes, type Cookies, setCookie } from "../http/cookies.ts";

/**
 * Counts finished sign-ins whose session did not come back with the next request, in a cookie of the
 * browser. Sealed and short-lived: a counter that somebody else plants counts for nothing.
 */
export interface LoopCounter {
  /** Sign-ins of the last minute without a session in between. */
  count(cookies: Cookies): number;
  /** One more finished sign-in; the first where the session of the one before has come back. */
  recordSignIn(cookies: Cookies, cameBack: boolean): string;
  /** The session came back: no loop. Nothing where nothing was counted. */
  reset(cookies: Cookies): readonly string[];
}

export interface LoopCounterOptions {
  readonly config: Config;
  readonly keys: () => KeyRing;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

const windowSeconds = 60;

export function createLoopCounter({ config, keys, clock }: LoopCounterOptions): LoopCounter {
  const name = loopCookieName(config);
  const { path, secure } = config.session.cookie;
  const attributes: CookieAttributes = { path, secure, sameSite: "lax" };
  const nowSeconds = () => Math.floor(clock() / 1000);

  function count(cookies: Cookies): number {
    const opened = openText(keys(), cookies[name] ?? "");
    if (typeof opened === "string") return 0;
    const [signIns = 0, until = 0] = opened.text.split(" ").map(Number);
    return until > nowSeconds() ? signIns : 0;
  }

  return {
    count,
    recordSignIn(cookies, cameBack) {
      const signIns = cameBack ? 1 : count(cookies) + 1;
      const until = nowSeconds() + windowSeconds;
      return setCookie(name, sealText(keys(), {}, `${signIns} ${until}`), attributes, until);
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
