import type { Reason } from "../errors/reasons.ts";
import type { TokenKind } from "../errors/token-reasons.ts";
import type { Place } from "./place.ts";

/** Why a session has ended. */
export type SignOutReason =
  | "logout"
  | "backchannel"
  | "frontchannel"
  /** A new sign-in of the same browser took the place of the session. */
  | "replaced"
  /** The same, but the session was bound to a device, which the browser did not prove. */
  | "unproved"
  /** The app ended it. */
  | "ended"
  /** The person ended it in the list of devices, alone, with others, or with all. */
  | "device"
  | "others"
  | "all"
  | "operator"
  /** It was found to be over: not used for too long, too old, or changed. */
  | "idle"
  | "max-age"
  | "unreadable"
  /** The store has no record for the handle: it expired long ago, or the store has lost it. */
  | "expired";

/** How a refresh of an access token ended, as one caller sees it. */
export type RefreshOutcome =
  | "renewed"
  /** Another request had refreshed it; its result was used. */
  | "shared"
  /** The same, after a wait of this request. */
  | "waited"
  /** The token at hand is used, because it is good for a while yet. */
  | "in-hand"
  | "refused"
  /** No usable answer; it may be tried again. */
  | "transient"
  /** The session ended meanwhile. */
  | "lost";

/** What made an operation of the store fail. */
export type StoreFault = "timeout" | "refused" | "read-only" | "oom" | "other";

/** A period of failures, reported at its end. */
export interface Outage {
  readonly failures: number;
  readonly durationMs: number;
}

/** The client, as its request describes it; only with the setting. */
export interface Client {
  readonly address?: string;
  /** The `User-Agent`, shortened. Anybody can send anything in it. */
  readonly userAgent?: string;
}

/**
 * What happens in the sign-in layer, as data. No event holds a token, a code, a cookie value or a
 * secret.
 */
export type LogEvent = Event & Place & { readonly client?: Client };

type Event =
  | {
      readonly event: "sign-in";
      readonly sub: string;
      readonly issuer: string;
      readonly session?: string | undefined;
      /** How the provider calls its session. */
      readonly sid?: string | undefined;
      /** Since the login route, in milliseconds. */
      readonly durationMs?: number | undefined;
    }
  | {
      readonly event: "refusal";
      readonly route: string;
      readonly reason: Reason;
      /** The kind of token, if the reason is about one. */
      readonly kind?: TokenKind | undefined;
      readonly status: number;
      /** The reference on the user's page. */
      readonly reference?: string | undefined;
      /** What was expected and what was received, on one line. */
      readonly detail?: string | undefined;
      readonly error?: unknown;
      /** Milliseconds since the login route, if a callback knows its transaction. */
      readonly durationMs?: number | undefined;
      /** How many like it were left out of the log since the last one. */
      readonly suppressed?: number | undefined;
    }
  | {
      readonly event: "sign-out";
      readonly reason: SignOutReason;
      readonly sub?: string | undefined;
      /** The `id` of the identity that an operator has named. */
      readonly identity?: string | undefined;
      readonly sid?: string | undefined;
      readonly session?: string | undefined;
      /**
       * The cause: the `jti` of a logout token, the session of the device that ended others, an
       * operator's name, or the reason for which its connection admits the user no more.
       */
      readonly cause?: string | undefined;
      /**
       * The store could not be written yet: copies of the cookie work until `sign-out-completed`.
       */
      readonly pending?: boolean | undefined;
    }
  | {
      readonly event: "sign-out-completed";
      readonly reason: SignOutReason;
      readonly sub?: string | undefined;
      readonly session?: string | undefined;
      /** How long the store could not be written. */
      readonly pendingMs?: number | undefined;
    }
  | {
      readonly event: "refresh";
      readonly outcome: RefreshOutcome;
      /** Why the refresh brought nothing, if it was `refused` or the fault was `transient`. */
      readonly reason?: Reason | undefined;
      /** The kind of token, if the reason is about one. */
      readonly kind?: TokenKind | undefined;
      /** What was expected and what was received, on one line. */
      readonly detail?: string | undefined;
      readonly sub: string;
      readonly session?: string | undefined;
      readonly durationMs?: number | undefined;
      /** How many like it were left out of the log since the last one. */
      readonly suppressed?: number | undefined;
    }
  /** The result of a refresh came after its lease was lost: the newer tokens of the record stay. */
  | { readonly event: "lease-lost" }
  | { readonly event: "provider-fault"; readonly reason: Reason; readonly detail?: string }
  /** The fate of a token of an ended session. */
  | {
      readonly event: "token-revocation";
      readonly token: "refresh" | "access";
      /** `failed`: the provider did not answer; `refused`: it declined. */
      readonly outcome: "revoked" | "refused" | "failed";
      readonly tries: number;
      readonly reason?: Reason | undefined;
    }
  /** One event when the provider fails for the first time, one when it answers again. */
  | {
      readonly event: "provider-state";
      readonly state: "down";
      readonly reason: Reason;
      /** Which endpoint, and what became of the call. */
      readonly detail?: string | undefined;
    }
  | ({ readonly event: "provider-state"; readonly state: "up" } & Partial<Outage>)
  | {
      readonly event: "store-fault";
      readonly operation?: string | undefined;
      readonly reason?: StoreFault | undefined;
      readonly error: unknown;
      /**
       * The number of omitted faults of this kind since the last event: there is one event a
       * second.
       */
      readonly suppressed?: number | undefined;
    }
  /** The store answers, but slowly; one event a minute. */
  | {
      readonly event: "store-slow";
      readonly operation: string;
      readonly durationMs: number;
      /** The number of omitted slow answers since the last event. */
      readonly suppressed: number;
    }
  /** One event a transition of the guard around the store. */
  | {
      readonly event: "store-state";
      readonly state: "down" | "read-only";
      readonly reason: StoreFault;
    }
  | ({ readonly event: "store-state"; readonly state: "up" } & Partial<Outage>)
  /** A session is sealed with an unknown key; it stays as it is. */
  | { readonly event: "unknown-key"; readonly keyId?: string | undefined; readonly detail: string }
  /** New secrets arrived. If they are invalid, the old ones stay. */
  | {
      readonly event: "key-ring-changed";
      readonly outcome: "changed" | "refused";
      /** Ids of the keys of sessions from now on; the first one seals. */
      readonly keyIds?: readonly string[] | undefined;
      readonly detail?: string | undefined;
    }
  | { readonly event: "logout-state-mismatch"; readonly received: boolean }
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
    case "store-state":
      return event.state === "up" ? "warning" : "error";
    case "refusal":
      return event.status >= 500 ? "error" : "warning";
    case "key-ring-changed":
      return event.outcome === "refused" ? "error" : "info";
    case "sign-out":
      return event.pending === true ? "warning" : "info";
    case "refresh":
      return event.reason === undefined ? "info" : "warning";
    case "token-revocation":
      return event.outcome === "revoked" ? "info" : "warning";
    case "provider-fault":
    case "provider-state":
    case "store-slow":
    case "lease-lost":
    case "unknown-key":
    case "session-large":
    case "warning":
      return "warning";
    default:
      return "info";
  }
}
