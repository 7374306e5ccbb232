import { transactionLifetimeSeconds } from "../config/constants.ts";
import { isJSONObject } from "../crypto/json-object.ts";
import { openJSON, sealJSON } from "../crypto/jwe.ts";
import type { StepUp } from "../errors/access-errors.ts";
import type { Sealing } from "./sealing.ts";

/**
 * What a sign-in must prove, as a text for the address of login: nobody can write one that asks the provider for
 * less, or for anything else.
 */
export interface StepUpSeal {
  seal(stepUp: StepUp): string;
  /** `null` for anything that was not sealed here within the last hour. */
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

/** Whether a value that was sealed here says what a sign-in must prove. */
export function isStepUp(value: unknown): value is StepUp {
  if (!isJSONObject(value)) return false;
  const { maxAge, acr } = value;
  return (
    (maxAge === undefined || typeof maxAge === "number") &&
    (acr === undefined || (Array.isArray(acr) && acr.every((each) => typeof each === "string")))
  );
}
