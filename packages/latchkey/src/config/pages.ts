/** What became of the provider's own session, as far as we know. */
export type ProviderSession = "ended" | "still" | "unconfirmed" | "unknown";

/** What the page after logout says. */
export interface SignedOut {
  /**
   * `ended`: confirmed by the provider. `still`: it has no end-session endpoint. `unconfirmed`: it
   * did not answer, or wrongly.
   */
  readonly provider: ProviderSession;
  /**
   * The latest end of copied cookies of the session, in epoch seconds, if the store could not be
   * written; `undefined` if no copy works any more.
   */
  readonly copiesEndBy?: number | undefined;
  /** Starts a sign-in. */
  readonly signInURL: string;
  /** The home page of the app. */
  readonly homeURL: string;
}

/** A form waiting to be sent, for the page that offers it again. */
export interface FormToSend {
  /** Its action: an absolute address of the app. */
  readonly action: string;
  /** They stay out of sight; a name may come more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The home page of the app, for users who do not send it. */
  readonly homeURL: string;
}
