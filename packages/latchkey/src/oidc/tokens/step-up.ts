import { isNumericDate } from "../../crypto/json-object.ts";
import { namesOf, type StepUp, type UnmetRequirement } from "../../errors/access-errors.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { IDTokenClaims } from "./id-token.ts";
import type { Time } from "./token-claims.ts";

/** What a sign-in was to prove, and where the person wanted to go. */
interface Expected {
  readonly stepUp?: StepUp | undefined;
  readonly returnTo: string;
}

/**
 * Checks that a sign-in has proved what it was to prove, whether or not the provider has looked at that.
 *
 * @throws {Refusal} `step_up_unmet`: the person keeps the session that they had
 */
export function checkStepUp(
  { auth_time: authTime, acr }: IDTokenClaims,
  { stepUp: { maxAge, acr: accepted } = {}, returnTo }: Expected,
  time: Time,
): void {
  const known = isNumericDate(authTime) ? authTime : undefined;
  const isInTime = maxAge === undefined || isRecent(known, maxAge, time);
  const isGoodEnough = accepted === undefined || accepted.some((each) => each === acr);
  const unmet: readonly UnmetRequirement[] = [
    ...(isInTime ? [] : [{ part: "maxAge", required: [String(maxAge)] } as const]),
    ...(isGoodEnough ? [] : [{ part: "acr", required: accepted } as const]),
  ];
  if (unmet.length === 0) return;
  throw new Refusal("step_up_unmet", { unmet, detail: namesOf(unmet), returnTo });
}

/** When a person has proved who they are; a time in the future proves as little as none. */
export function isRecent(
  authTime: number | undefined,
  seconds: number,
  { now, clockTolerance }: Time,
): boolean {
  if (authTime === undefined) return false;
  const age = now - authTime;
  return age <= seconds + clockTolerance && age >= -clockTolerance;
}
