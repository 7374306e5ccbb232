import { Forbidden, type UnmetRequirement } from "./access-errors.ts";
import { AccessTokenError } from "./access-token-error.ts";
import { LatchkeyError } from "./latchkey-error.ts";
import { nameErrors } from "./name-errors.ts";
import { oneLine } from "./one-line.ts";
import type { ProblemKind } from "./problem-kind.ts";
import { codeOf, type Fault, type Reason, type RefusalCode, reasons, textOf } from "./reasons.ts";
import type { TokenKind } from "./token-reasons.ts";

export interface RefusalDetail {
  readonly cause?: unknown;
  /** What was expected and what came, for the log and for developers, on one line; no secret. */
  readonly detail?: string | undefined;
  /** What to check in the app, if the reason alone does not say it. */
  readonly suspect?: string | undefined;
  /** The page, if it is another one than that of the reason. */
  readonly page?: ProblemKind | undefined;
  /** The provider's own words. Shown only once `state` has matched. */
  readonly providerText?: string | undefined;
  /** The app's own words for the user. */
  readonly appText?: string | undefined;
  /** The user named by the provider, for refusals about the user. */
  readonly person?: Person | undefined;
  /** Names of the largest parts of a session, largest first, if it is too large. */
  readonly largestParts?: readonly string[] | undefined;
  /** Seconds until another try makes sense, if known. */
  readonly retryAfterSeconds?: number | undefined;
  /** The unmet requirements of an access rule. */
  readonly unmet?: readonly UnmetRequirement[] | undefined;
  /** The connection of the sign-in offered by the response, if there are several. */
  readonly connection?: string | undefined;
  /** The requested page: absolute, or a path. */
  readonly returnTo?: string | undefined;
  /** Sealed: the requirements for the sign-in offered by the response. */
  readonly stepUp?: string | undefined;
}

/** The facts about a user that a refusal may show to that user. */
export interface Person {
  readonly email?: string | undefined;
  readonly organization?: string | undefined;
  /** The organization, or the domains, whose users may sign in; empty if they stay unnamed. */
  readonly expected?: string | undefined;
  /** Whether the provider says that the email address is not confirmed. */
  readonly isUnconfirmed?: boolean | undefined;
}

/** A route stops here, for one machine-readable reason of the catalogue. */
export class Refusal extends LatchkeyError<RefusalCode> implements RefusalDetail {
  readonly fault: Fault;
  readonly detail: string | undefined;
  readonly suspect: string | undefined;
  readonly page: ProblemKind | undefined;
  readonly providerText: string | undefined;
  readonly appText: string | undefined;
  readonly person: Person | undefined;
  readonly largestParts: readonly string[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly unmet: readonly UnmetRequirement[];
  readonly connection: string | undefined;
  readonly returnTo: string | undefined;
  readonly stepUp: string | undefined;

  constructor(fault: Fault, { cause, detail, unmet = [], ...given }: RefusalDetail = {}) {
    const { reason, kind } = typeof fault === "string" ? { reason: fault } : fault;
    super(codeOf(reason), textOf(reason, kind), cause === undefined ? {} : { cause });
    this.fault = fault;
    this.detail = detail && oneLine(detail);
    this.unmet = unmet;
    Object.assign(this, given);
  }

  /** The machine-readable reason, e.g. `store_unavailable`. */
  get reason(): Reason {
    return typeof this.fault === "string" ? this.fault : this.fault.reason;
  }

  /** The kind of the refused token, if the reason is about one. */
  get kind(): TokenKind | undefined {
    return typeof this.fault === "string" ? undefined : this.fault.kind;
  }

  /** The HTTP status of this reason in the catalogue. */
  get status(): number {
    return reasons[this.reason].status;
  }
}

nameErrors({ Refusal });

export function isRefusal(error: unknown, ...of: readonly Reason[]): boolean {
  return error instanceof Refusal && of.includes(error.reason);
}

/**
 * Returns the refusal for an error: a reason of the catalogue, or `internal` for an error of
 * another origin.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Forbidden) return new Refusal("forbidden", { cause: error });
  if (isTemporary(error)) {
    const { retryAfterSeconds } = error;
    return new Refusal("refresh_unavailable", { cause: error, retryAfterSeconds });
  }
  return new Refusal("internal", { cause: error });
}

/** An access token is missing only for a moment. */
export type TemporaryError = AccessTokenError & { readonly retryAfterSeconds: number };

export function isTemporary(error: unknown): error is TemporaryError {
  return error instanceof AccessTokenError && error.retryAfterSeconds !== undefined;
}
