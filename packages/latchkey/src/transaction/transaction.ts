import { transactionLifetimeSeconds } from "../config/constants.ts";
import type { StepUp } from "../errors/access-errors.ts";
import { isJSONObject, parseJSON } from "../crypto/json-object.ts";
import { isStepUp } from "./login-seal.ts";

/** The part of an authorization request that its callback needs. */
export interface Transaction {
  /** Random, 256 bits; also names the transaction. */
  readonly state: string;
  readonly nonce: string;
  /** The code verifier (RFC 7636); absent if the response type has no code. */
  readonly codeVerifier?: string | undefined;
  /** Absolute address, checked; checked again before it is used. */
  readonly returnTo: string;
  /** Epoch milliseconds. */
  readonly started: number;
  /** The id of its connection; absent for `default`. */
  readonly connection?: string | undefined;
  /** The client of that connection when it was started; see `clientTag`. */
  readonly client?: string | undefined;
  /** Where it was started; absent for the first base URL. */
  readonly origin?: string | undefined;
  /** The instance that started it; see `RecentTransactions`. */
  readonly instance?: string | undefined;
  /** Seconds, 0 included. */
  readonly maxAge?: number | undefined;
  /** What this sign-in must prove beyond the ordinary. */
  readonly stepUp?: StepUp | undefined;
  /** The tag of the user who must prove more; see `userTag`. Any user may sign in without it. */
  readonly proves?: string | undefined;
  /** The tenant of that user, at an issuer of many: each gives its users any `sub`. */
  readonly tenant?: string | undefined;
  /** The organization of which the user must be, if this login has requested one. */
  readonly organization?: string | undefined;
  /**
   * The id of the session replaced by this sign-in. The callback of a cross-site POST cannot see
   * its cookie.
   */
  readonly replaces?: string | undefined;
  /** The value of the companion cookie. */
  readonly binding?: string | undefined;
}

/**
 * A sign-in that failed because its transaction was lost is started again once, by the page itself.
 * The second try is marked in `state`, because other data in the browser may be lost again. The
 * mark is neither secret nor proof: a forged one only brings a button instead of an automatic
 * restart.
 */
const restartMark = ".r";

/** The mark of a sign-in for a shared computer: it remains one when it is started again. */
const sharedMark = ".s";

export function stateOf(
  random: string,
  { isSecondTry = false, isShared = false }: { isSecondTry?: boolean; isShared?: boolean },
): string {
  return random + (isShared ? sharedMark : "") + (isSecondTry ? restartMark : "");
}

export function isForSharedComputer(state: string | undefined): boolean {
  return /\.s(?:\.r)?$/.test(state ?? "");
}

export function isRestart(state: string | undefined): boolean {
  return state?.endsWith(restartMark) === true;
}

/** Whether a transaction may still be finished. */
export function isCurrent({ started }: Transaction, nowMs: number): boolean {
  return nowMs < started + transactionLifetimeSeconds * 1000;
}

/** Reads a transaction from decrypted text; `null` for anything else. */
export function parseTransaction(text: string): Transaction | null {
  const value = parseJSON(text);
  return isTransaction(value) ? value : null;
}

function isTransaction(value: unknown): value is Transaction {
  if (!isJSONObject(value)) return false;
  const { state, nonce, returnTo, started, maxAge, stepUp } = value;
  const { codeVerifier, replaces, binding, instance, organization } = value;
  const { connection, client, origin, proves, tenant } = value;
  return (
    [state, nonce, returnTo].every((member) => typeof member === "string" && member !== "") &&
    typeof started === "number" &&
    [codeVerifier, replaces, binding, instance, organization].every(isOptionalText) &&
    [connection, client, origin, proves, tenant].every(isOptionalText) &&
    (maxAge === undefined || typeof maxAge === "number") &&
    (stepUp === undefined || isStepUp(stepUp))
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
