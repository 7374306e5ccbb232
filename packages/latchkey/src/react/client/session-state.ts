import type { RegisteredClaims } from "./claims.ts";
import type { RequestError } from "./request-error.ts";
import type { EndReason, WireTimes } from "./wire.ts";

/** The organization that the person signed in to, from the claims `org_id` and `org_name`. */
export interface Org {
  readonly id: string;
  readonly name?: string;
}

/**
 * The ends of a session in epoch seconds of the server's clock, and durations in seconds.
 * `null`: there is no such end, or the server has not told it yet.
 */
export interface SessionTimes {
  /** When the session ends if the app is not used any more. */
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

/** Who is signed in, or that nobody is. Check `status` first; it narrows the rest. */
export type SessionState<C = RegisteredClaims> =
  | {
      /**
       * It is not known yet who is signed in. Never the case where the server rendered the page
       * with it.
       */
      readonly status: "loading";
      readonly user: null;
      /**
       * Why it is still not known, after more than one attempt. Further attempts follow by
       * themselves.
       */
      readonly error?: RequestError;
    }
  | {
      readonly status: "signed-in";
      readonly user: C;
      readonly org?: Org;
      readonly times: SessionTimes;
      /** The server could not be reached lately: this is what was known last. */
      readonly stale: boolean;
    }
  | {
      readonly status: "signed-out";
      readonly user: null;
      /** Why the session ended, where the person did not sign out and the reason is known. */
      readonly ended?: EndReason;
    };

/**
 * What the server knew when it rendered the page, so that the first frame is right: a person with
 * the times of the session and the server's clock (`now`, in epoch seconds); a person alone, for
 * which the browser then asks for the times; or a session that has ended.
 */
export type InitialSession<C = RegisteredClaims> =
  | { readonly user: C; readonly times: WireTimes; readonly now: number }
  | { readonly user: C; readonly times?: undefined }
  | { readonly ended: EndReason };
