import type { Reason } from "../errors/reasons.ts";

/**
 * What happens in the sign-in layer, as data. No event holds a token, a code, a cookie value or a
 * secret.
 */
export type LogEvent =
  | { readonly event: "sign-in"; readonly sub: string; readonly issuer: string }
  | {
      readonly event: "refusal";
      readonly route: string;
      readonly reason: Reason;
      readonly status: number;
      /** The reference that the person sees. */
      readonly reference?: string;
      /** What was expected and what was received, on one line. */
      readonly detail?: string;
      readonly error?: unknown;
    }
  | {
      readonly event: "sign-out";
      /**
       * `device`, `other-devices` and `all-devices`: the person ended them in the list of devices.
       */
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
  | { readonly event: "session-large"; readonly bytes: number; readonly largest: string }
  | { readonly event: "warning"; readonly message: string };

/** Receives every event. Must not throw. */
export type Log = (event: LogEvent) => void;

/** How serious an event is. */
export type LogLevel = "error" | "warning" | "info";

/** What broke is an error; what was refused, and what an operator should look at, is a warning. */
export function levelOf(event: LogEvent): LogLevel {
  switch (event.event) {
    case "store-fault":
      return "error";
    case "refusal":
      return event.status >= 500 ? "error" : "warning";
    case "provider-fault":
    case "session-large":
    case "warning":
      return "warning";
    default:
      return "info";
  }
}
