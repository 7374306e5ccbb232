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
