import type { RegisteredClaims } from "../client/claims.ts";
import { useSessionState } from "./use-session.ts";

/**
 * The claims of the person who is signed in, live; `null` when nobody is, and while that is not
 * known yet. `useSession` tells the two apart.
 *
 * The claims are typed by your declaration of `Register`, or by the type argument.
 *
 * @throws {Error} Outside of `SignInProvider`.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the app names its claims
export function useUser<C = RegisteredClaims>(): C | null {
  return useSessionState<C>("useUser").user;
}
