import { isJSONObject } from "../crypto/json-object.ts";
import type { Sealing } from "./sealing.ts";
import { createTimedSeal, type TimedSeal } from "./timed-seal.ts";

/** Parameters for the provider, by name. */
export type LoginParams = Readonly<Record<string, string>>;

/** The parameters that a handler has set. In plain text only allowed ones pass. */
export function createParamsSeal(sealing: Omit<Sealing, "config">): TimedSeal<LoginParams> {
  return createTimedSeal(sealing, "params", isParams);
}

function isParams(value: unknown): value is LoginParams {
  return isJSONObject(value) && Object.values(value).every((each) => typeof each === "string");
}
