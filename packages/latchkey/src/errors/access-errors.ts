import { AccessTokenError } from "./access-token-error.ts";
import { inspect } from "./inspect.ts";
import { type ErrorCode, LatchkeyError } from "./latchkey-error.ts";
import { nameErrors } from "./name-errors.ts";

/** An unmet requirement of an access rule. */
export interface UnmetRequirement {
  /** `rule` for a function. */
  readonly part: "scope" | "claim" | "organization" | "maxAge" | "acr" | "connection" | "rule";
  /** Of the claim. */
  readonly name?: string;
  /**
   * The required values: of scopes all, of others one; seconds for `maxAge`; nothing for a
   * function.
   */
  readonly required: readonly string[];
}

/**
 * The errors of `auth.require()`. They end a request and are no fault: a framework that prints them
 * needs one line.
 */
export abstract class AccessError<Code extends ErrorCode = ErrorCode> extends LatchkeyError<Code> {
  [inspect](): string {
    return `${this.name}: ${this.message}`;
  }
}

/** A sign-in that a handler begins by `auth.login()`. */
export interface WantedLogin {
  /** The id of the connection. */
  readonly connection?: string | undefined;
  readonly returnTo?: string | undefined;
  /** For a shared computer. */
  readonly shared?: boolean | undefined;
  /** For the provider. */
  readonly params: Readonly<Record<string, string>>;
}

/** The text of a 401 without a session (specification, section 8). */
export const notAuthenticated = "The user does not have an active session or is not authenticated";

/**
 * `auth.require()` without a signed-in user, or `auth.login()`. The host responds with the way to
 * login, or a 401.
 */
export class SignInRequired extends AccessError<"ERR_SIGN_IN_REQUIRED"> {
  readonly status = 401;
  /** What the rule demands of the sign-in. */
  readonly stepUp: StepUp | undefined;
  /** Present for `auth.login()`. */
  readonly login: WantedLogin | undefined;

  constructor(stepUp?: StepUp, login?: WantedLogin) {
    super(
      "ERR_SIGN_IN_REQUIRED",
      login === undefined ? notAuthenticated : "A handler begins a sign-in.",
    );
    this.stepUp = stepUp;
    this.login = login;
  }
}

/**
 * `auth.require(rule)` for a user who does not meet the rule. The host responds with a 403. If the
 * rule requires another connection, it leads a browser to a sign-in there.
 */
export class Forbidden extends AccessError<"ERR_FORBIDDEN"> {
  readonly status = 403;
  /** The unmet requirements. */
  readonly unmet: readonly UnmetRequirement[];
  /** The sign-in that may help: with another connection. */
  readonly stepUp: StepUp | undefined;

  constructor(unmet: readonly UnmetRequirement[] = [], stepUp?: StepUp) {
    super("ERR_FORBIDDEN", "The user may not do this.");
    this.unmet = unmet;
    this.stepUp = stepUp;
  }
}

/**
 * `auth.require(rule)` for a user who must authenticate again, or in a stronger way (RFC 9470). The
 * host sends the browser to the provider and back, and responds to a script with 401.
 */
export class StepUpRequired extends AccessError<"ERR_STEP_UP_REQUIRED"> {
  readonly status = 401;
  readonly unmet: readonly UnmetRequirement[];
  /** The requirements for the provider. */
  readonly stepUp: StepUp;

  constructor(unmet: readonly UnmetRequirement[], stepUp: StepUp) {
    super("ERR_STEP_UP_REQUIRED", "A different authentication of the user is required.");
    this.unmet = unmet;
    this.stepUp = stepUp;
  }
}

nameErrors({ AccessError, SignInRequired, Forbidden, StepUpRequired });

/** Returns if an error has a response of the host, and is no fault to print with its stack. */
export function isExpectedEnd(error: unknown): error is AccessError | AccessTokenError {
  if (error instanceof AccessTokenError) {
    return error.needsSignIn || error.retryAfterSeconds !== undefined;
  }
  return error instanceof AccessError;
}

/** What a sign-in must prove beyond the ordinary. */
export interface StepUp {
  /** Seconds since the person has proved who they are. */
  readonly maxAge?: number;
  /** Authentication context class references, one of which is enough. */
  readonly acr?: readonly string[];
  /**
   * Whether the user was signed out. Then the sign-in counts even if it does not prove this: the
   * page that needs more says so itself.
   */
  readonly isFirst?: true;
  /** The ids of connections, with one of which the user signs in. */
  readonly connections?: readonly string[];
}

/** What does not hold, for the log. */
export function namesOf(unmet: readonly UnmetRequirement[]): string {
  return unmet
    .map(({ part, name, required }) =>
      [part, ...(name === undefined ? [] : [name]), ...required].join(" "),
    )
    .join("; ");
}

/** The unmet requirements in English, for the user. */
export function sentenceOf({ part, name = "", required }: UnmetRequirement): string {
  const one = required.join(" or ");
  switch (part) {
    case "scope":
      return `It needs the permission ${required.join(" and ")}.`;
    case "claim":
      return `It is for users who have ${name}: ${one}.`;
    case "organization":
      return `It is for users of the organization ${one}.`;
    case "maxAge":
      return `It needs a sign-in less than ${durationOf(Number(required[0]))} ago.`;
    case "acr":
      return `It needs a sign-in by ${one}.`;
    case "connection":
      return `It needs a sign-in with ${one}.`;
    case "rule":
      return "It needs a permission that the user does not have.";
  }
}

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** In its two largest units, at least one second, as `@latchkey/pages` says it. */
function durationOf(seconds: number): string {
  let left = Math.max(1, seconds);
  const first = units.findIndex(([, size]) => left >= size);
  const parts = units.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(left / size);
    left %= size;
    return count === 0 ? "" : `${count} ${unit}${count === 1 ? "" : "s"}`;
  });
  return parts.filter((part) => part !== "").join(" ");
}
