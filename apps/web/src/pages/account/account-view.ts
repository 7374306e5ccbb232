/** How the access to other services stands. */
export type AccessState = "renews" | "until" | "connected" | "will-renew" | "ended";

/** A claim, made readable. */
export type ClaimValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "yes-no"; readonly yes: boolean }
  | { readonly kind: "moment"; readonly at: number }
  | { readonly kind: "list"; readonly items: readonly string[] };

export interface Claim {
  readonly name: string;
  readonly value: ClaimValue;
}

/** What the account page says of the person. */
export interface AccountPerson {
  readonly sub: string;
  readonly name: string;
  readonly email?: string;
  /** Address of a picture that the content security policy allows. */
  readonly picture?: string;
}

/** What the account page shows. The times of the session come from the `SignInProvider` around it. */
export interface AccountView {
  readonly person: AccountPerson;
  /** Absent where the provider does not say. */
  readonly emailConfirmed?: boolean;
  readonly organization?: {
    readonly name?: string;
    readonly id?: string;
    readonly limited: boolean;
  };
  /** Absent where the app has not asked for any. */
  readonly access?: {
    readonly state: AccessState;
    /** When the state changes, epoch seconds. */
    readonly at?: number;
    readonly scopes: readonly string[];
  };
  readonly claims: readonly Claim[];
}
