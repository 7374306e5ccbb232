import type { RegisteredClaims } from "./claims.ts";
import type { RequestError } from "./request-error.ts";
import type { EndReason, Names, WireTimes } from "./wire.ts";

/** The organization of the sign-in, from the claims `org_id` and `org_name`. */
export interface Org {
  readonly id: string;
  readonly name?: string;
}

/**
 * The ends of a session in epoch seconds of the server's clock, and durations in seconds. `null`:
 * there is no such end, or it is not known yet.
 */
export interface SessionTimes {
  /** When the session ends without further use of the app. */
  readonly rollingEndsAt: number | null;
  /** When the session ends in any case. */
  readonly absoluteEndsAt: number | null;
  /** The earlier of the two. */
  readonly endsAt: number | null;
  /** From the latest renewal to the rolling end. */
  readonly rollingDuration: number | null;
  /** From the sign-in to the absolute end. */
  readonly absoluteDuration: number | null;
}

/** The signed-in user, if any. Check `status` first; it narrows the rest. */
export type SessionState<C = RegisteredClaims> =
  | {
      /** The user is not known yet. Never the case with an `initialSession`. */
      readonly status: "loading";
      readonly user: null;
      /** Why the user is still unknown after more than one attempt. The client keeps trying. */
      readonly error?: RequestError;
    }
  | ({
      readonly status: "signed-in";
      readonly user: C;
      readonly org?: Org;
      readonly times: SessionTimes;
      /** The last request failed; this is the last known state. */
      readonly stale: boolean;
    } & Names)
  | {
      readonly status: "signed-out";
      readonly user: null;
      /** Why the session ended, if the user did not sign out and the reason is known. */
      readonly ended?: EndReason;
    };

/**
 * What the server knew when it rendered the page, so the first frame is right. Either a user with
 * the times of the session and the server's clock (`now`, in epoch seconds); or a user alone, whose
 * times the browser then requests; or an ended session.
 */
export type InitialSession<C = RegisteredClaims> =
  | ({ readonly user: C; readonly times: WireTimes; readonly now: number } & Names)
  | { readonly user: C; readonly times?: undefined }
  | { readonly ended: EndReason };
