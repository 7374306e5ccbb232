/** What the server knows about a person: the claims of the ID token, filtered. */
export interface Claims {
  /** The person's id at the provider. */
  readonly sub: string;
  readonly name?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly nickname?: string;
  readonly preferred_username?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly org_id?: string;
  readonly org_name?: string;
  readonly [claim: string]: unknown;
}

export interface Org {
  readonly id: string;
  readonly name?: string;
}

/**
 * The ends of a session in epoch seconds of the server's clock, lengths in seconds.
 * `null` is: there is no such end, or the server has not told yet.
 */
export interface Times {
  /** The end if nothing more is requested. */
  readonly rollingEndsAt: number | null;
  /** The end in any case. */
  readonly absoluteEndsAt: number | null;
  /** The earlier of the two. */
  readonly endsAt: number | null;
  /** From the latest renewal to the rolling end. */
  readonly rollingDuration: number | null;
  /** From sign-in to the absolute end. */
  readonly absoluteDuration: number | null;
}

export type EndedReason = "idle" | "max-age" | "elsewhere" | "unreadable" | "refused";

/** The session, told without renewing it: the answer of `GET /_auth/session.json`. Epoch seconds. */
export type Peek =
  | ({ readonly state: "signed-in"; readonly now: number; readonly sub: string } & WireTimes)
  | { readonly state: "signed-out"; readonly now: number }
  | { readonly state: "ended"; readonly reason: EndedReason; readonly now: number };

/** The times as the server tells them; `session.times` of the engine fits as it is. */
export interface WireTimes {
  readonly rollingEndsAt: number | null;
  readonly absoluteEndsAt: number | null;
  readonly endsAt: number | null;
  readonly createdAt?: number;
  readonly updatedAt?: number;
}

/**
 * What the server already knows when it renders the page, so that the first frame is the right one:
 * a person with the times of the session and the server's clock (epoch seconds), a person alone (the browser
 * then asks for the times), or a session that has ended.
 */
export type SeedOf<C> =
  | { readonly user: C; readonly times: WireTimes; readonly now: number }
  | { readonly user: C; readonly times?: undefined }
  | { readonly ended: EndedReason };

/** Who is here. Check `status` first; the rest narrows. */
export type SignInOf<C> =
  /** Only when the server did not seed the page. */
  | { readonly status: "loading"; readonly user: null }
  | {
      readonly status: "signed-in";
      readonly user: C;
      readonly org?: Org;
      readonly session: Times;
      /** The server could not be reached lately; this is the last that is known. */
      readonly stale: boolean;
    }
  | { readonly status: "signed-out"; readonly user: null }
  | { readonly status: "ended"; readonly user: null; readonly reason: EndedReason }
  | {
      readonly status: "error";
      readonly user: null;
      readonly error: SignInError;
      readonly retry: () => void;
    };

/** The server could not be asked, or gave an answer that is none. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  /** HTTP status of the answer; 0 when there was none. */
  readonly status: number;

  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
