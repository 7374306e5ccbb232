import { transactionLifetimeSeconds } from "../config/constants.ts";
import { type KeyRing, openText, sealText } from "../crypto/key-ring.ts";
import type { StepUp } from "../errors/access-errors.ts";

/**
 * What a sign-in must prove, as a text for the address of login: nobody can write one that asks the provider for
 * less, or for anything else.
 */
export interface StepUpSeal {
  seal(stepUp: StepUp): string;
  /** `null` for anything that was not sealed here within the last hour. */
  open(text: string): StepUp | null;
}

export interface StepUpSealOptions {
  readonly keys: () => KeyRing;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createStepUpSeal({ keys, clock }: StepUpSealOptions): StepUpSeal {
  return {
    seal: (stepUp) => sealText(keys(), {}, JSON.stringify({ stepUp, sealed: clock() })),
    open(text) {
      const opened = openText(keys(), text);
      if (typeof opened === "string") return null;
      const content: unknown = JSON.parse(opened.text);
      const isKnown = isSealedStepUp(content);
      return isKnown && clock() < content.sealed + transactionLifetimeSeconds * 1000
        ? content.stepUp
        : null;
    },
  };
}

function isSealedStepUp(
  value: unknown,
): value is { readonly stepUp: StepUp; readonly sealed: number } {
  return (
    typeof value === "object" &&
    value !== null &&
    "sealed" in value &&
    typeof value.sealed === "number" &&
    "stepUp" in value &&
    isStepUp(value.stepUp)
  );
}

/** Whether a value that was sealed here says what a sign-in must prove. */
export function isStepUp(value: unknown): value is StepUp {
  if (typeof value !== "object" || value === null) return false;
  const { maxAge, acr } = value as Record<keyof StepUp, unknown>;
  return (
    (maxAge === undefined || typeof maxAge === "number") &&
    (acr === undefined || (Array.isArray(acr) && acr.every((each) => typeof each === "string")))
  );
}
