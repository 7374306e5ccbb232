/** How the access to other services stands. */
export type AccessState = "renews" | "until" | "connected" | "will-renew" | "ended";

/** A claim, made readable. */
export type ClaimValue =
  | { readonly kind: "text"; readonly text: string }
  /** Indented. */
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "yes-no"; readonly yes: boolean }
  | { readonly kind: "moment"; readonly at: number }
  | { readonly kind: "list"; readonly items: readonly string[] };

export interface Claim {
  readonly name: string;
  readonly value: ClaimValue;
}

/** What a claim is about. */
export type ClaimGroupName = "identity" | "contact" | "membership" | "other";

export interface ClaimGroup {
  readonly name: ClaimGroupName;
  readonly claims: readonly Claim[];
}

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
  readonly organization?: {
    readonly name: string | undefined;
    readonly id: string | undefined;
    readonly limited: boolean;
  };
  /** Absent where the app has not asked for any. */
  readonly access?: {
    readonly state: AccessState;
    /** When the state changes, epoch seconds. */
    readonly at?: number;
    readonly scopes: readonly string[];
  };
  /** None is empty. */
  readonly claims: readonly ClaimGroup[];
}
