import type { UnmetRequirement } from "./access-errors.ts";
import type { ErrorCode } from "./latchkey-error.ts";
import type { ProblemKind } from "./problem-kind.ts";

/** What the user sees when a route has failed. */
export interface Problem {
  readonly kind: ProblemKind;
  /** HTTP status of the response. */
  readonly status: number;
  /** Short enough to read out, e.g. `7F3K-92QD`; the log line carries the same. */
  readonly reference: string;
  /** ISO 8601. */
  readonly time: string;
  /** Stable error code, e.g. `ERR_CALLBACK_HANDLER_FAILURE`. */
  readonly code: ErrorCode;
  /** Machine-readable reason, e.g. `state_mismatch`. */
  readonly reason: string;
  /** The fixed technical text; never provider text, never a secret. */
  readonly message: string;
  /** What was expected and what came, as the log says; absent in production. */
  readonly detail?: string | undefined;
  /** Where the inspector shows this sign-in step by step; absent in production. */
  readonly inspectorURL?: string | undefined;
  /** Starts sign-in again, with its known return address. */
  readonly signInURL: string;
  /** The same, with a choice of account at the provider. */
  readonly switchAccountURL: string;
  /** The page with all ways to sign in, if there are several. */
  readonly otherWaysURL?: string | undefined;
  /** With what the user signs in, if there are several ways. */
  readonly provider?: string | undefined;
  /** The home page of the app. */
  readonly homeURL: string;
  /** The action of confirmation and retry forms. */
  readonly formURL?: string;
  /** The page moves on to this address by itself. */
  readonly redirectTo?: string | undefined;
  /** The provider's words: plain text, at most 300 characters, only after `state` matched. */
  readonly providerText?: string | undefined;
  /** The app's own sentence about a refused sign-in: plain text, at most 300 characters. */
  readonly appText?: string | undefined;
  /** Names of what makes a session too large for cookies, largest first; no values. */
  readonly largestParts?: readonly string[] | undefined;
  /** The unmet requirements of an access rule. */
  readonly unmet?: readonly UnmetRequirement[] | undefined;
  /**
   * The expected and the actual organization, for a user of another organization; the expected
   * domains, for a user with an email address of another domain: empty if they are not revealed.
   */
  readonly organization?:
    | {
        readonly expected: string;
        readonly actual?: string | undefined;
        readonly email?: string | undefined;
        /** Whether the provider has yet to confirm the address: nothing else is wrong with it. */
        readonly isUnconfirmed?: boolean | undefined;
      }
    | undefined;
}
