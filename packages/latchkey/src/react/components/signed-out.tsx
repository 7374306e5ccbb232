import type { ReactNode } from "react";
import { useSignInAs } from "../hooks/use-sign-in.ts";

export interface SignedOutProps {
  readonly children?: ReactNode;
}

/**
 * Shows its children when it is certain that nobody is signed in, also when a session has ended;
 * nothing while that is not known.
 */
export function SignedOut({ children }: SignedOutProps): ReactNode {
  const { status } = useSignInAs("SignedOut");
  return status === "signed-out" || status === "ended" ? children : null;
}
