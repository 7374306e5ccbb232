import type { Claims as ServerClaims } from "../../session/claims.ts";

/**
 * The claims of a user: those of the ID token and of userinfo, filtered by the settings of the
 * server (OpenID Connect Core 1.0, section 5.1).
 */
export interface Claims {
  /** Identifies the user at the provider; never reassigned. */
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

/**
 * Declare the claims of your app here once, and every hook and component knows them:
 *
 * ```ts
 * declare module "latchkey/react" {
 *   interface Register { claims: { sub: string; name: string; roles: string[] } }
 * }
 * ```
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled in by the app
export interface Register {}

/**
 * The claims declared in {@link Register}; without a declaration {@link Claims}, and those declared
 * for the server with `declare module "latchkey" { interface Claims { … } }`.
 */
export type RegisteredClaims = Register extends { readonly claims: infer C extends { sub: string } }
  ? C
  : Claims & ServerClaims;
