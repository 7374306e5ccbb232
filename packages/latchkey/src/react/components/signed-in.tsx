import type { ReactNode } from "react";
import type { RegisteredClaims } from "../client/claims.ts";
import { useSessionState } from "../hooks/use-session.ts";

export interface SignedInProps<C = RegisteredClaims> {
  /** What signed-in people see; or a function of the person that returns it. */
  readonly children?: ReactNode | ((user: C) => ReactNode);
}

/**
 * Shows its children to people who are signed in, and nothing to anybody else or while that is not
 * known.
 */
export function SignedIn<C = RegisteredClaims>({ children }: SignedInProps<C>): ReactNode {
  const session = useSessionState<C>("SignedIn");
  if (session.status !== "signed-in") return null;
  return typeof children === "function" ? children(session.user) : children;
}
