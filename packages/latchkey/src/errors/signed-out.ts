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
