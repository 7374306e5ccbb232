import { transactionLifetimeSeconds } from "../config/constants.ts";
import { isJSONObject } from "../crypto/json-object.ts";
import { openJSON, sealJSON } from "../crypto/jwe.ts";
import type { StepUp } from "../errors/access-errors.ts";
import type { Sealing } from "./sealing.ts";

/**
 * The requirements of a sign-in, as a sealed text for the address of login. A forged text could
 * request less from the provider.
 */
export interface StepUpSeal {
  seal(stepUp: StepUp): string;
  /** Returns `null` for anything not sealed here within the last hour. */
  open(text: string): StepUp | null;
}

export function createStepUpSeal({ keys, clock }: Omit<Sealing, "config">): StepUpSeal {
  return {
    seal: (stepUp) => sealJSON(keys(), { stepUp, sealed: clock() }),
    open(text) {
      const opened = openJSON(keys(), text);
      if (!isSealedStepUp(opened)) return null;
      const endsAt = opened.sealed + transactionLifetimeSeconds * 1000;
      return clock() < endsAt ? opened.stepUp : null;
    },
  };
}

function isSealedStepUp(
  value: unknown,
): value is { readonly stepUp: StepUp; readonly sealed: number } {
  return isJSONObject(value) && typeof value["sealed"] === "number" && isStepUp(value["stepUp"]);
}

/** Returns whether a sealed value holds the requirements of a sign-in. */
export function isStepUp(value: unknown): value is StepUp {
  if (!isJSONObject(value)) return false;
  const { maxAge, acr, isFirst } = value;
  return (
    (isFirst === undefined || isFirst === true) &&
    (maxAge === undefined || typeof maxAge === "number") &&
    (acr === undefined || (Array.isArray(acr) && acr.every((each) => typeof each === "string")))
  );
}
