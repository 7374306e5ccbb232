import type { ProblemKind } from "./problem-kind.ts";

/** A kind of token signed by the provider. */
export type TokenKind = "id_token" | "logout_token" | "userinfo_token";

interface TokenEntry {
  /** The text for each kind of token with this check; exactly the text of the specification. */
  readonly texts: Partial<Readonly<Record<TokenKind, string>>>;
  readonly status: 400;
  readonly page: ProblemKind;
}

function token<const Texts extends TokenEntry["texts"]>(
  texts: Texts,
  page: ProblemKind = "not-confirmed",
) {
  return { texts, status: 400, page } as const;
}

/**
 * The reasons why a token of the provider is refused: one for each check, with its text for each
 * kind of token.
 * - ID token: OpenID Connect Core 3.1.3.7; two of one sign-in: 3.3.3.6 and 12.2
 * - logout token: Back-Channel Logout 1.0, 2.6
 * - userinfo as a signed token: OpenID Connect Core 5.3.2
 */
export const tokenReasons = {
  token_malformed: token({
    id_token: "The ID token is not a well-formed JWT.",
    logout_token: "The logout token is not a well-formed JWT.",
    userinfo_token: "The userinfo JWT is not a well-formed JWT.",
  }),
  token_algorithm: token({
    id_token: "Unexpected JWT alg received.",
    logout_token: "Unexpected JWT alg received.",
    userinfo_token: "Unexpected JWT alg received.",
  }),
  token_key_unknown: token({
    id_token: "No key of the provider can verify the ID token.",
    logout_token: "No key of the provider can verify the logout token.",
    userinfo_token: "No key of the provider can verify the userinfo JWT.",
  }),
  token_signature: token({
    id_token: "Failed to validate JWT signature.",
    logout_token: "Failed to validate JWT signature.",
    userinfo_token: "Failed to validate JWT signature.",
  }),
  token_issuer: token({
    id_token: "Unexpected iss value in the ID token.",
    logout_token: "Unexpected iss value in the logout token.",
    userinfo_token: "Unexpected iss value in the userinfo JWT.",
  }),
  token_audience: token({
    id_token: "aud mismatch in the ID token.",
    logout_token: "aud mismatch in the logout token.",
    userinfo_token: "aud mismatch in the userinfo JWT.",
  }),
  token_expired: token(
    {
      id_token: "The ID token has expired.",
      logout_token: "The logout token has expired.",
      userinfo_token: "The userinfo JWT has expired.",
    },
    "clock-skew",
  ),
  token_not_yet_valid: token(
    {
      id_token: "The ID token is not active yet.",
      logout_token: "The logout token is not active yet.",
      userinfo_token: "The userinfo JWT is not active yet.",
    },
    "clock-skew",
  ),
  token_issued_at: token(
    {
      id_token: "Missing or unacceptable iat in the ID token.",
      logout_token: "Missing or unacceptable iat in the logout token.",
    },
    "clock-skew",
  ),
  token_subject: token({
    id_token: "Missing or invalid sub in the ID token.",
    logout_token: 'either "sid" or "sub" (or both) claims must be present',
  }),
  token_nonce: token({
    id_token: "nonce mismatch in the ID token.",
    logout_token: '"nonce" claim is prohibited',
  }),
  token_authorized_party: token({ id_token: "azp mismatch in the ID token." }),
  token_auth_time: token({ id_token: "The sign-in at the provider is too long ago." }),
  token_hash: token({ id_token: "c_hash, s_hash or at_hash mismatch in the ID token." }),
  token_subject_changed: token({ id_token: "The two ID tokens name different subjects." }),
  token_missing: token({ logout_token: "Missing Logout Token" }),
  token_id: token({ logout_token: '"jti" claim is missing' }),
  token_events: token({
    logout_token: 'the "events" claim must hold the back-channel logout event, as an object',
  }),
  token_replayed: token({ logout_token: "This logout token has been used before." }),
} satisfies Record<`token_${string}`, TokenEntry>;

export type TokenReason = keyof typeof tokenReasons;

type FaultOf<Of extends TokenReason> = {
  readonly reason: Of;
  readonly kind: keyof (typeof tokenReasons)[Of]["texts"];
};

/** What is wrong with a token of the provider: a check, and a kind of token that has it. */
export type TokenFault = { [Of in TokenReason]: FaultOf<Of> }[TokenReason];

/** The kinds of token with a check. */
export function kindsOf(reason: TokenReason): readonly TokenKind[] {
  return Object.keys(tokenReasons[reason].texts) as TokenKind[];
}
