import type { UnmetRequirement } from "./access-errors.ts";
import type { ErrorCode } from "./latchkey-error.ts";

/** Which page a person should see; one word per situation. */
export type ProblemKind =
  | "callback-failed"
  | "cancelled"
  | "clock-skew"
  | "code-used"
  | "confirm-sign-out"
  | "cookies-blocked"
  | "forbidden"
  | "form-not-sent"
  | "link-incomplete"
  | "loop"
  | "no-sign-in-in-progress"
  | "not-confirmed"
  | "not-found"
  | "organization"
  | "provider-busy"
  | "provider-refused"
  | "provider-trouble"
  | "provider-unreachable-finish"
  | "provider-unreachable-start"
  | "restart-missing"
  | "restart-unreadable"
  | "server-error"
  | "session-too-large"
  | "setup-wrong"
  | "state-mismatch"
  | "too-many-cookies";

/** What a person is told when a route could not do its work. */
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
  /** Starts sign-in again, with the destination kept where it is known. */
  readonly signInURL: string;
  /** The same, asking the provider to let the person choose an account. */
  readonly switchAccountURL: string;
  /** The home page of the app. */
  readonly homeURL: string;
  /** Where confirmation or retry forms are posted. */
  readonly formURL?: string;
  /** The page moves on to this address by itself. */
  readonly redirectTo?: string | undefined;
  /** The provider's words: plain text, at most 300 characters, only after `state` matched. */
  readonly providerText?: string | undefined;
  /** Names of what makes a session too large for cookies, largest first; no values. */
  readonly largestParts?: readonly string[] | undefined;
  /** What does not hold of the person, where an access rule refuses them. */
  readonly unmet?: readonly UnmetRequirement[] | undefined;
  /** Whom the app is for, and who came, where a person of another organization is refused. */
  readonly organization?:
    | {
        readonly expected: string;
        readonly actual?: string | undefined;
        readonly email?: string | undefined;
      }
    | undefined;
}
