import type { ReactNode } from "react";
import type { RegisteredClaims } from "../client/register.ts";
import { useSignInAs } from "../hooks/use-sign-in.ts";

export interface SignedInProps<C = RegisteredClaims> {
  /** What signed-in people see; or a function of the person. */
  readonly children?: ReactNode | ((user: C) => ReactNode);
}

/** Shows its children to people who are signed in, and nothing to anybody else. */
export function SignedIn<C = RegisteredClaims>({ children }: SignedInProps<C>): ReactNode {
  const me = useSignInAs<C>("SignedIn");
  if (me.status !== "signed-in") return null;
  return typeof children === "function" ? children(me.user) : children;
}
