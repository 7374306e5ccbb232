import { transactionLifetimeSeconds } from "../config/constants.ts";
import type { StepUp } from "../errors/access-errors.ts";
import { isStepUp } from "./step-up-seal.ts";

/** What the callback must know of the authorization request that it answers. */
export interface Transaction {
  /** Random, 256 bits; also names the transaction. */
  readonly state: string;
  readonly nonce: string;
  /** Absent where the response type brings no code. */
  readonly codeVerifier?: string;
  /** Absolute address, checked; checked again before it is used. */
  readonly returnTo: string;
  /** Epoch milliseconds. */
  readonly started: number;
  /** The instance that started it; see `Context`. */
  readonly instance?: string;
  /** Seconds, 0 included. */
  readonly maxAge?: number;
  /** What this sign-in must prove beyond the ordinary. */
  readonly stepUp?: StepUp;
  /** The session that this sign-in replaces, where the callback cannot see it: a cross-site POST. */
  readonly replaces?: string;
  /** The value of the cookie that the browser must bring beside it. */
  readonly binding?: string;
}

/** Whether a transaction may still be finished. */
export function isCurrent({ started }: Transaction, nowMs: number): boolean {
  return nowMs < started + transactionLifetimeSeconds * 1000;
}

/** Reads a transaction from decrypted text; `null` for anything else. */
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
  const { state, nonce, returnTo, started, maxAge, ...optional } = value as Record<
    keyof Transaction,
    unknown
  >;
  const { codeVerifier, replaces, binding, instance, stepUp } = optional;
  return (
    [state, nonce, returnTo].every((member) => typeof member === "string" && member !== "") &&
    typeof started === "number" &&
    [codeVerifier, replaces, binding, instance].every(
      (each) => each === undefined || typeof each === "string",
    ) &&
    (maxAge === undefined || typeof maxAge === "number") &&
    (stepUp === undefined || isStepUp(stepUp))
  );
}
