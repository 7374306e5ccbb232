import { transactionLifetimeSeconds } from "../config/constants.ts";
import { isJSONObject } from "../crypto/json-object.ts";
import { openJSONHere, sealHere, type Sealing } from "./sealing.ts";

/** Seals a value as text for the address of login, which a user could change otherwise. */
export interface TimedSeal<T> {
  seal(value: T): string;
  /** Returns `null` for anything not sealed here within the last hour. */
  open(text: string): T | null;
}

/** @param name - what the value is: a text sealed as something else does not open */
export function createTimedSeal<T>(
  sealing: Omit<Sealing, "config">,
  name: string,
  isValue: (value: unknown) => value is T,
): TimedSeal<T> {
  const { clock } = sealing;
  return {
    seal: (value) => sealHere(sealing, JSON.stringify({ [name]: value, sealed: clock() })),
    open(text) {
      const opened = openJSONHere(sealing, text);
      if (!isJSONObject(opened)) return null;
      const { sealed, [name]: value } = opened;
      const isCurrent =
        typeof sealed === "number" && clock() < sealed + transactionLifetimeSeconds * 1000;
      return isCurrent && isValue(value) ? value : null;
    },
  };
}
