import { Forbidden, type UnmetRequirement } from "./access-errors.ts";
import { AccessTokenError } from "./access-token-error.ts";
import { LatchkeyError } from "./latchkey-error.ts";
import { nameErrors } from "./name-errors.ts";
import { type Reason, reasons } from "./reasons.ts";

export interface RefusalDetail {
  readonly cause?: unknown;
  /** What was expected and what came, for the log and for developers; never a secret. */
  readonly detail?: string | undefined;
  /** The provider's own words. Shown only once `state` has matched. */
  readonly providerText?: string | undefined;
  /** Whom the provider has named, where the refusal is about that. */
  readonly person?: Person | undefined;
  /** Names of the largest parts of a session, largest first, where it is too large. */
  readonly largestParts?: readonly string[] | undefined;
  /** After so many seconds it is worth another try, where that is known. */
  readonly retryAfterSeconds?: number | undefined;
  /** What does not hold of the person, where an access rule refuses them. */
  readonly unmet?: readonly UnmetRequirement[] | undefined;
  /** Where the person wanted to go: absolute, or a path. */
  readonly returnTo?: string | undefined;
  /** Sealed: what the sign-in must prove that the response offers. */
  readonly stepUp?: string | undefined;
}

/** As much of a person as a refusal may tell that same person. */
export interface Person {
  readonly email?: string | undefined;
  readonly organization?: string | undefined;
}

/** A route stops here, for one machine-readable reason of the catalogue. */
export class Refusal extends LatchkeyError<"ERR_REFUSED"> implements RefusalDetail {
  readonly reason: Reason;
  readonly detail: string | undefined;
  readonly providerText: string | undefined;
  readonly person: Person | undefined;
  readonly largestParts: readonly string[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly unmet: readonly UnmetRequirement[];
  readonly returnTo: string | undefined;
  readonly stepUp: string | undefined;

  constructor(reason: Reason, { cause, unmet = [], ...given }: RefusalDetail = {}) {
    super("ERR_REFUSED", reasons[reason].text, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.unmet = unmet;
    Object.assign(this, given);
  }

  /** The HTTP status that the catalogue gives this reason. */
  get status(): number {
    return reasons[this.reason].status;
  }
}

nameErrors({ Refusal });

/** What an error means for the response: a reason of the catalogue, `internal` for an error that is not ours. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Forbidden) return new Refusal("forbidden", { cause: error });
  if (isTemporary(error)) {
    const { retryAfterSeconds } = error;
    return new Refusal("refresh_unavailable", { cause: error, retryAfterSeconds });
  }
  return new Refusal("internal", { cause: error });
}

/** An access token that cannot be had now, and may be had a moment later. */
export function isTemporary(
  error: unknown,
): error is AccessTokenError & { readonly retryAfterSeconds: number } {
  return error instanceof AccessTokenError && error.retryAfterSeconds !== undefined;
}
