import type { Reason } from "../errors/reasons.ts";

/** What happens in the sign-in layer, as data. No event holds a token, a code, a cookie value or a secret. */
export type LogEvent =
  | { readonly event: "sign-in"; readonly sub: string; readonly issuer: string }
  | {
      readonly event: "refusal";
      readonly route: string;
      readonly reason: Reason;
      readonly status: number;
      /** The reference that the person sees. */
      readonly reference?: string;
      /** What was expected and what came; one line. */
      readonly detail?: string;
      readonly error?: unknown;
    }
  | {
      readonly event: "sign-out";
      /** `device`, `other-devices` and `all-devices`: what the person did in the list of their devices. */
      readonly reason:
        | "logout"
        | "backchannel"
        | "replaced"
        | "ended"
        | "device"
        | "other-devices"
        | "all-devices";
      readonly sub?: string;
      readonly sid?: string;
    }
  | { readonly event: "refresh"; readonly outcome: "renewed" | "refused"; readonly sub: string }
  | { readonly event: "provider-fault"; readonly reason: Reason; readonly detail?: string }
  | { readonly event: "logout-state-mismatch"; readonly received: boolean }
  | { readonly event: "store-fault"; readonly error: unknown }
  | { readonly event: "return-to-dropped"; readonly length: number }
  | { readonly event: "session-large"; readonly bytes: number; readonly biggest: string }
  | { readonly event: "warning"; readonly message: string };

/** Receives every event. Must not throw; silent by default. */
export type Log = (event: LogEvent) => void;
