import { type ErrorCode, LatchkeyError } from "./latchkey-error.ts";
import { nameErrors } from "./name-errors.ts";

/** A part of an access rule that does not hold. */
export interface UnmetRequirement {
  /** `rule` where the rule is a function. */
  readonly part: "scope" | "claim" | "organization" | "maxAge" | "acr" | "rule";
  /** Of the claim. */
  readonly name?: string;
  /** What the rule names: of scopes all, of others one; seconds for `maxAge`; nothing for a function. */
  readonly required: readonly string[];
}

/** What `util.inspect` and `console.error` of Node call to show a value. */
const inspect: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

/**
 * What `auth.require()` throws. It ends a request and is no fault: where a framework prints what a handler has thrown,
 * one line is enough.
 */
export abstract class AccessError<Code extends ErrorCode = ErrorCode> extends LatchkeyError<Code> {
  [inspect](): string {
    return `${this.name}: ${this.message}`;
  }
}

/** `auth.require()` found nobody signed in. The host turns it into the way to login, or a 401. */
export class SignInRequired extends AccessError<"ERR_SIGN_IN_REQUIRED"> {
  readonly status = 401;

  constructor() {
    super(
      "ERR_SIGN_IN_REQUIRED",
      "The user does not have an active session or is not authenticated",
    );
  }
}

/** `auth.require(rule)` found somebody for whom the rule does not hold. The host turns it into a 403. */
export class Forbidden extends AccessError<"ERR_FORBIDDEN"> {
  readonly status = 403;
  /** The parts of the rule that do not hold. */
  readonly unmet: readonly UnmetRequirement[];

  constructor(unmet: readonly UnmetRequirement[] = []) {
    super("ERR_FORBIDDEN", "The user may not do this.");
    this.unmet = unmet;
  }
}

/**
 * `auth.require(rule)` found somebody who must prove anew, or better, who they are (RFC 9470). The host sends a
 * person to the provider and back, and answers a script 401.
 */
export class StepUpRequired extends AccessError<"ERR_STEP_UP_REQUIRED"> {
  readonly status = 401;
  readonly unmet: readonly UnmetRequirement[];
  /** What the provider is asked for. */
  readonly stepUp: StepUp;

  constructor(unmet: readonly UnmetRequirement[], stepUp: StepUp) {
    super("ERR_STEP_UP_REQUIRED", "A different authentication of the user is required.");
    this.unmet = unmet;
    this.stepUp = stepUp;
  }
}

nameErrors({ AccessError, SignInRequired, Forbidden, StepUpRequired });

/** What a sign-in must prove beyond the ordinary. */
export interface StepUp {
  /** Seconds since the person has proved who they are. */
  readonly maxAge?: number;
  /** Authentication context class references, one of which is enough. */
  readonly acr?: readonly string[];
}

/** What does not hold, for the log. */
export function namesOf(unmet: readonly UnmetRequirement[]): string {
  return unmet
    .map(({ part, name, required }) =>
      [part, ...(name === undefined ? [] : [name]), ...required].join(" "),
    )
    .join("; ");
}

/** What a person is told of what is missing, in English. */
export function sentenceOf({ part, name = "", required }: UnmetRequirement): string {
  const one = required.join(" or ");
  switch (part) {
    case "scope":
      return `It needs the permission ${required.join(" and ")}.`;
    case "claim":
      return `It is for people whose ${name} is ${one}.`;
    case "organization":
      return `It is for people of the organisation ${one}.`;
    case "maxAge":
      return `It needs a sign-in within the last ${durationOf(Number(required[0]))}.`;
    case "acr":
      return `It needs a sign-in by ${one}.`;
    case "rule":
      return "It needs a permission that the user does not have.";
  }
}

function durationOf(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200
    ? `${Math.round(seconds / 60)} minutes`
    : `${Math.round(seconds / 3600)} hours`;
}
