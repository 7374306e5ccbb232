import type { RegisteredClaims } from "../client/claims.ts";
import { useSessionState } from "./use-session.ts";

/**
 * Returns the live claims of the signed-in user; `null` while loading and after a sign-out, which
 * `useSession` distinguishes.
 *
 * `Register` or the type argument declares the claims.
 *
 * @throws {Error} Outside of `SignInProvider`.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the app names its claims
export function useUser<C = RegisteredClaims>(): C | null {
  return useSessionState<C>("useUser").user;
}
