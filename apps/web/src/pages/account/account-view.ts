/** How the access to other services stands. */
export type AccessState = "renews" | "until" | "connected" | "will-renew" | "ended";

/** What the account page says of the person. */
export interface AccountPerson {
  readonly sub: string;
  readonly name: string;
  readonly email?: string | undefined;
}

/** What the account page shows beside the times of the session. */
export interface AccountView {
  readonly person: AccountPerson;
  /** Absent where the provider does not say. */
  readonly emailConfirmed?: boolean | undefined;
  /** Its name; its id where it has none. */
  readonly organization?: string | undefined;
  /** The same, where people of no other organization may come in. */
  readonly limitedTo?: string | undefined;
  /** Absent where the app has not asked for any. */
  readonly access?: {
    readonly state: AccessState;
    /** When it ends, epoch seconds. */
    readonly at?: number;
  };
}
