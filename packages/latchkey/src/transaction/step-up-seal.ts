import { isJSONObject } from "../crypto/json-object.ts";
import type { StepUp } from "../errors/access-errors.ts";
import type { Sealing } from "./sealing.ts";
import { createTimedSeal, type TimedSeal } from "./timed-seal.ts";

export type StepUpSeal = TimedSeal<StepUp>;

/** The requirements of a sign-in. A forged text could request less from the provider. */
export function createStepUpSeal(sealing: Omit<Sealing, "config">): StepUpSeal {
  return createTimedSeal(sealing, "stepUp", isStepUp);
}

/** Returns whether a sealed value holds the requirements of a sign-in. */
export function isStepUp(value: unknown): value is StepUp {
  if (!isJSONObject(value)) return false;
  const { maxAge, acr, isFirst, connections } = value;
  return (
    (isFirst === undefined || isFirst === true) &&
    (maxAge === undefined || typeof maxAge === "number") &&
    [acr, connections].every((each) => each === undefined || isTexts(each))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
