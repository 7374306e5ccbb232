import type { Reason } from "../../errors/reasons.ts";

/** Why somebody is signed out. */
export type SignOutReason =
  | "logout"
  | "backchannel"
  | "frontchannel"
  /** A new sign-in of the same browser took the place of the session. */
  | "replaced"
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
  /** Nothing lies in the store under its handle any more: it was over long ago, or the store has lost it. */
  | "expired";

/** How a refresh of an access token ended, as one caller sees it. */
export type RefreshOutcome =
  | "renewed"
  /** Somebody else had renewed it; the result was taken over. */
  | "shared"
  /** The same, after this request had waited for that. */
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

/** A period in which something did not work, told when it ends. */
export interface Outage {
  readonly failures: number;
  readonly durationMs: number;
}

/** Who asked, as their request says; told only where the settings want it. */
export interface Client {
  readonly address?: string;
  /** The `User-Agent`, shortened. Anybody can send anything in it. */
  readonly userAgent?: string;
}

/**
 * What happens in the sign-in layer, as data. No event holds a token, a code, a cookie value or a
 * secret.
 */
export type LogEvent = Event & { readonly client?: Client };

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
      readonly status: number;
      /** The reference that the person sees. */
      readonly reference?: string | undefined;
      /** What was expected and what was received, on one line. */
      readonly detail?: string | undefined;
      readonly error?: unknown;
      /** Since the login route, in milliseconds, where a callback knows its transaction. */
      readonly durationMs?: number | undefined;
      /** How many like it were left out of the log since the last one. */
      readonly suppressed?: number | undefined;
    }
  | {
      readonly event: "sign-out";
      readonly reason: SignOutReason;
      readonly sub?: string | undefined;
      readonly sid?: string | undefined;
      readonly session?: string | undefined;
      /**
       * What brought it about: the `jti` of a logout token, the session that ended others from its list of devices, an
       * operator's name.
       */
      readonly cause?: string | undefined;
      /** The store could not be told yet: copies of the cookie live on until `sign-out-completed`. */
      readonly pending?: boolean | undefined;
      /** When it takes effect, in epoch seconds, where the person may take it back until then. */
      readonly effectiveAt?: number | undefined;
    }
  /** The person has taken back the end of a device before it came. */
  | {
      readonly event: "sign-out-undone";
      readonly sub: string;
      readonly session?: string | undefined;
    }
  | {
      readonly event: "sign-out-completed";
      readonly reason: SignOutReason;
      readonly sub?: string | undefined;
      readonly session?: string | undefined;
      /** How long the store could not be told. */
      readonly pendingMs?: number | undefined;
    }
  | {
      readonly event: "refresh";
      readonly outcome: RefreshOutcome;
      /** Why the refresh token has brought nothing, where it was `refused`, or the fault was `transient`. */
      readonly reason?: Reason | undefined;
      readonly sub: string;
      readonly session?: string | undefined;
      readonly durationMs?: number | undefined;
    }
  /** A browser brought tokens that had been refreshed meanwhile, and was given the newer ones. */
  | { readonly event: "refresh-healed" }
  /** The result of a refresh came after its lease was lost. */
  | { readonly event: "lease-lost" }
  | { readonly event: "provider-fault"; readonly reason: Reason; readonly detail?: string }
  /** What became of a token of a session that has ended. */
  | {
      readonly event: "token-revocation";
      readonly token: "refresh" | "access";
      /** `failed`: the provider could not be asked; `refused`: it did not want to. */
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
      /** How many faults of this kind were not told since the last one: there is one event a second. */
      readonly suppressed?: number | undefined;
    }
  /** The store answers, but slowly; one event a minute. */
  | {
      readonly event: "store-slow";
      readonly operation: string;
      readonly durationMs: number;
      /** How many slow answers were not told since the last event. */
      readonly suppressed: number;
    }
  /** One event a transition of the guard around the store. */
  | {
      readonly event: "store-state";
      readonly state: "down" | "read-only";
      readonly reason: StoreFault;
    }
  | ({ readonly event: "store-state"; readonly state: "up" } & Partial<Outage>)
  /** While the store is down sessions are let in unchecked, because the settings say so; one event a minute. */
  | {
      readonly event: "marks-unchecked";
      readonly durationMs: number;
      /** How many more were let in since the last event. */
      readonly suppressed: number;
    }
  /** A session was sealed with a key that is not here; it is left alone. */
  | { readonly event: "unknown-key"; readonly keyId?: string | undefined; readonly detail: string }
  /** Secrets came that hold, or that do not: then the old ones stay. */
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
    case "marks-unchecked":
      return "error";
    case "store-state":
      return event.state === "up" ? "warning" : "error";
    case "refusal":
      return event.status >= 500 ? "error" : "warning";
    case "key-ring-changed":
      return event.outcome === "refused" ? "error" : "info";
    case "sign-out":
      return event.pending === true ? "warning" : "info";
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
