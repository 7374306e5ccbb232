/** What became of the provider's own session, as far as we know. */
export type ProviderSession = "ended" | "still" | "unconfirmed" | "unknown";

/** What the page after logout says. */
export interface SignedOut {
  /** `ended`: the provider says so. `still`: it offers no way. `unconfirmed`: it did not answer, or wrongly. */
  readonly provider: ProviderSession;
  readonly signInURL: string;
  readonly homeURL: string;
}
