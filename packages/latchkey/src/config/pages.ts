/** What became of the provider's own session, as far as we know. */
export type ProviderSession = "ended" | "still" | "unconfirmed" | "unknown";

/** What the page after logout says. */
export interface SignedOut {
  /** `ended`: the provider says so. `still`: it offers no way. `unconfirmed`: it did not answer, or wrongly. */
  readonly provider: ProviderSession;
  /**
   * By when copies of the session's cookie end at the latest, in epoch seconds, where the store could not be told that
   * it has ended; `undefined` where nobody can use one any more.
   */
  readonly copiesEndBy?: number | undefined;
  /** Starts a sign-in. */
  readonly signInURL: string;
  /** The home page of the app. */
  readonly homeURL: string;
}

/** A form that waits to be sent, for the page that offers it again. */
export interface FormToSend {
  /** Where it is posted: an absolute address of the app. */
  readonly action: string;
  /** They stay out of sight; a name may come more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The home page of the app, for whoever does not want to send it. */
  readonly homeURL: string;
}
