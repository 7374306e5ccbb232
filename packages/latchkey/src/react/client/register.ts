import type { Claims, SeedOf, SignInOf } from "./session-state.ts";

/**
 * Declare your claims once, and every hook and component knows them:
 *
 * ```ts
 * declare module "latchkey/react" {
 *   interface Register { claims: { sub: string; name: string; roles: string[] } }
 * }
 * ```
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled in by the app
export interface Register {}

/** The claims declared in {@link Register}; {@link Claims} without a declaration. */
export type RegisteredClaims = Register extends { readonly claims: infer C extends { sub: string } }
  ? C
  : Claims;

/** Who is here. Check `status` first; the rest narrows. */
export type SignIn<C = RegisteredClaims> = SignInOf<C>;

/** What the server knew when it rendered the page. */
export type Seed<C = RegisteredClaims> = SeedOf<C>;
