import type { Config } from "../../config/config.ts";
import type { Reason } from "../../errors/reasons.ts";
import type { TokenKind } from "../../errors/token-reasons.ts";
import type { Transaction } from "../../transaction/transaction.ts";
import type { DecodedToken } from "../decode-token.ts";
import type { Call, Seen } from "../watch-context.ts";

/** What the checks of one callback have compared. */
export interface CallbackFacts {
  readonly config: Config;
  readonly seen: Seen;
  /** Of the authorization response. */
  readonly parameters: URLSearchParams;
  /** The transaction that the response answers. */
  readonly transaction: Transaction | undefined;
  readonly tokenCall: Call | undefined;
  readonly userinfoCall: Call | undefined;
  /** From the token response, else from the authorization response. */
  readonly idToken: DecodedToken | null;
  readonly isFrontChannel: boolean;
  /** Whether the authorization response had one, too. */
  readonly hasFrontChannelToken: boolean;
  /** Epoch seconds. */
  readonly now: number;
  readonly hasHook: boolean;
  /** Bytes of the cookies of the session. */
  readonly cookieBytes: number;
}

/** A check of the engine, as a line of the page. */
export interface CheckLine {
  readonly name: string;
  /** The reasons with which it fails. */
  readonly reasons: readonly Reason[];
  /** The kind of token that its reasons are about; by default an ID token. */
  readonly kind?: TokenKind;
  /** Whether it applies to this sign-in; by default it does. */
  readonly applies?: (facts: CallbackFacts) => boolean;
  readonly expected: (facts: CallbackFacts) => string;
  readonly actual: (facts: CallbackFacts) => unknown;
}
