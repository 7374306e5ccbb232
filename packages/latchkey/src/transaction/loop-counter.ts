import { defaultID, loopCookie } from "../config/constants.ts";
import { nowSeconds } from "../config/runtime.ts";
import { sha256 } from "../crypto/digest.ts";
import { clearCookie, type Cookies, setCookie } from "../http/cookies.ts";
import { hostCookie } from "./host-cookie.ts";
import { openHere, sealHere, type Sealing } from "./sealing.ts";

/** Finished sign-ins of a browser, each within a minute of the one before. */
export interface SignInCount {
  /** Since the session came back last. */
  readonly lost: number;
  /** In a row, to the same address. */
  readonly toSameAddress: number;
}

/** A sign-in, as far as it is counted together with others. */
export interface CountedSignIn {
  /** The id of its connection. */
  readonly connection: string;
  /** `null` without a safe one. */
  readonly returnTo: string | null;
}

export interface FinishedSignIn extends CountedSignIn {
  /** Whether the session of the one before has come back. */
  readonly cameBack: boolean;
  /** The return address of the sign-in. */
  readonly returnTo: string;
}

/**
 * Counts finished sign-ins in a cookie of the browser. The cookie is sealed and short-lived: a
 * planted counter does not count.
 */
export interface LoopCounter {
  /** Of one connection: sign-ins with another return address are counted separately. */
  count(cookies: Cookies, signIn: CountedSignIn): SignInCount;
  /** Adds one, or begins again if the session of the sign-in before has come back. */
  recordSignIn(cookies: Cookies, signIn: FinishedSignIn): string;
  /** Clears the count, if there is one. */
  reset(cookies: Cookies): readonly string[];
}

const windowSeconds = 60;
const none: SignInCount = { lost: 0, toSameAddress: 0 };

export function createLoopCounter(sealing: Sealing): LoopCounter {
  const { config, clock } = sealing;
  const { name, attributes } = hostCookie(config, loopCookie);

  function count(cookies: Cookies, { connection, returnTo }: CountedSignIn): SignInCount {
    const text = openHere(sealing, cookies[name] ?? "");
    if (text === null) return none;
    const [lost, until, inRow, address, counted = defaultID] = text.split(" ");
    if (!(Number(until) > nowSeconds({ clock })) || counted !== connection) return none;
    const isSame = returnTo !== null && address === tagOf(returnTo);
    return { lost: Number(lost), toSameAddress: isSame ? Number(inRow) : 0 };
  }

  return {
    count,
    recordSignIn(cookies, { cameBack, ...signIn }) {
      const { connection, returnTo } = signIn;
      const before = count(cookies, signIn);
      const lost = cameBack ? 1 : before.lost + 1;
      const until = nowSeconds({ clock }) + windowSeconds;
      const counted = [lost, until, before.toSameAddress + 1, tagOf(returnTo)];
      const text = [...counted, ...(connection === defaultID ? [] : [connection])].join(" ");
      return setCookie(name, sealHere(sealing, text, connection), attributes, until);
    },
    reset: (cookies) => (cookies[name] === undefined ? [] : [clearCookie(name, attributes)]),
  };
}

/** Short, since an address may be long. */
function tagOf(address: string): string {
  return sha256(address).slice(0, 12);
}
