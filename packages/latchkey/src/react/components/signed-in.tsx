import type { ReactNode } from "react";
import type { RegisteredClaims } from "../client/claims.ts";
import { useSessionState } from "../hooks/use-session.ts";

export interface SignedInProps<C = RegisteredClaims> {
  /** The content for a signed-in user, or a function of the user returning it. */
  readonly children?: ReactNode | ((user: C) => ReactNode);
}

/** Shows its children to a signed-in user; otherwise, and while loading, nothing. */
export function SignedIn<C = RegisteredClaims>({ children }: SignedInProps<C>): ReactNode {
  const session = useSessionState<C>("SignedIn");
  if (session.status !== "signed-in") return null;
  return typeof children === "function" ? children(session.user) : children;
}
