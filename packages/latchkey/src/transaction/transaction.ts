import { transactionLifetimeSeconds } from "../config/constants.ts";

/** A pending login: what the callback must know of the authorization request that it answers. */
export interface Transaction {
  /** Random, 256 bits; also names the pending login. */
  readonly state: string;
  readonly nonce: string;
  /** Absent where the response type brings no code. */
  readonly codeVerifier?: string;
  /** Absolute address, checked; checked again before it is used. */
  readonly returnTo: string;
  /** Epoch milliseconds. */
  readonly started: number;
  /** Seconds, 0 included. */
  readonly maxAge?: number;
  /** The session that this sign-in replaces, where the callback cannot see it: a cross-site POST. */
  readonly replaces?: string;
}

/** Whether a pending login may still be finished. */
export function isCurrent({ started }: Transaction, nowMs: number): boolean {
  return nowMs < started + transactionLifetimeSeconds * 1000;
}

/** Reads a pending login from decrypted text; `null` for anything else. */
export function parseTransaction(text: string): Transaction | null {
  try {
    const value: unknown = JSON.parse(text);
    return isTransaction(value) ? value : null;
  } catch {
    return null;
  }
}

function isTransaction(value: unknown): value is Transaction {
  if (typeof value !== "object" || value === null) return false;
  const { state, nonce, returnTo, started, codeVerifier, maxAge, replaces } = value as Record<
    keyof Transaction,
    unknown
  >;
  return (
    [state, nonce, returnTo].every((member) => typeof member === "string" && member !== "") &&
    typeof started === "number" &&
    (codeVerifier === undefined || typeof codeVerifier === "string") &&
    (maxAge === undefined || typeof maxAge === "number") &&
    (replaces === undefined || typeof replaces === "string")
  );
}
