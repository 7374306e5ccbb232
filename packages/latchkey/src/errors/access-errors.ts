import { LatchkeyError } from "./latchkey-error.ts";

/** `auth.require()` found nobody signed in. The host turns it into the way to login, or a 401. */
export class SignInRequired extends LatchkeyError<"ERR_SIGN_IN_REQUIRED"> {
  readonly status = 401;

  constructor() {
    super(
      "ERR_SIGN_IN_REQUIRED",
      "The user does not have an active session or is not authenticated",
    );
  }
}

/** `auth.require(rule)` found somebody for whom the rule does not hold. The host turns it into a 403. */
export class Forbidden extends LatchkeyError<"ERR_FORBIDDEN"> {
  readonly status = 403;

  constructor() {
    super("ERR_FORBIDDEN", "The user may not do this.");
  }
}
