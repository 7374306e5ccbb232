import { isNumericDate } from "../../crypto/json-object.ts";
import { namesOf, type StepUp, type UnmetRequirement } from "../../errors/access-errors.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { IDTokenClaims } from "./id-token.ts";
import type { Time } from "./token-claims.ts";

/** The requirements of a sign-in, and its return address. */
interface Expected {
  readonly stepUp?: StepUp | undefined;
  readonly returnTo: string;
}

/**
 * Checks that a sign-in meets its requirements, whether or not the provider did.
 *
 * @throws {Refusal} `step_up_unmet`: the user keeps the former session
 */
export function checkStepUp(
  { auth_time: authTime, acr }: IDTokenClaims,
  { stepUp = {}, returnTo }: Expected,
  time: Time,
): void {
  if (stepUp.isFirst === true) return;
  const { maxAge, acr: accepted } = stepUp;
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
