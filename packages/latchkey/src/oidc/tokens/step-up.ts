import { isNumericDate, type JSONObject } from "../../crypto/json-object.ts";
import { namesOf, type StepUp, type UnmetRequirement } from "../../errors/access-errors.ts";
import type { Check } from "../checks/check.ts";
import type { Connection } from "../connection.ts";
import type { IDTokenClaims } from "./id-token.ts";
import type { Time } from "./token-claims.ts";

interface StepUpFacts {
  readonly claims: IDTokenClaims;
  /** The requirements of the sign-in, and its return address. */
  readonly started: { readonly stepUp?: StepUp | undefined; readonly returnTo: string };
  readonly time: Time;
}

/**
 * The sign-in meets its requirements, whether or not the provider has checked them (RFC 9470,
 * section 5). If not, the user keeps the former session.
 */
export const stepUpCheck: Check<StepUpFacts> = {
  name: "Required of this sign-in",
  reason: "step_up_unmet",
  applies: ({ started: { stepUp } }) => stepUp !== undefined && stepUp.isFirst !== true,
  holds: (facts) => unmetIn(facts).length === 0,
  expected: ({ started: { stepUp } }) =>
    JSON.stringify({ maxAge: stepUp?.maxAge, acr: stepUp?.acr }),
  actual: ({ claims }) => ({ auth_time: claims["auth_time"], acr: claims["acr"] }),
  refusal: (facts) => {
    const unmet = unmetIn(facts);
    return { unmet, detail: namesOf(unmet), returnTo: facts.started.returnTo };
  },
};

interface AcrFacts {
  readonly claims: JSONObject;
  readonly connection: Pick<Connection, "acr">;
}

/** Every sign-in of the connection has one of its authentication context classes. */
export const ownAcrCheck: Check<AcrFacts> = {
  name: "acr",
  reason: "step_up_unmet",
  applies: ({ connection: { acr } }) => acr.length > 0,
  holds: ({ claims, connection: { acr } }) => acr.some((each) => each === claims["acr"]),
  expected: ({ connection: { acr } }) => acr.join(" or "),
  actual: ({ claims }) => claims["acr"],
  refusal: ({ connection: { acr } }) => ({ unmet: [{ part: "acr", required: acr }] }),
};

/** Returns the classes to request: those that both accept, else those of the connection. */
export function requestedAcr(
  { acr: own }: Pick<Connection, "acr">,
  wanted: readonly string[] | undefined,
): readonly string[] {
  if (own.length === 0) return wanted ?? [];
  const both = own.filter((each) => wanted?.includes(each) === true);
  return both.length === 0 ? own : both;
}

function unmetIn({ claims, started, time }: StepUpFacts): readonly UnmetRequirement[] {
  const { auth_time: authTime, acr } = claims;
  const { maxAge, acr: accepted } = started.stepUp ?? {};
  const known = isNumericDate(authTime) ? authTime : undefined;
  const isInTime = maxAge === undefined || isRecent(known, maxAge, time);
  const isGoodEnough = accepted === undefined || accepted.some((each) => each === acr);
  return [
    ...(isInTime ? [] : [{ part: "maxAge", required: [String(maxAge)] } as const]),
    ...(isGoodEnough ? [] : [{ part: "acr", required: accepted } as const]),
  ];
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
