import type { ReactNode } from "react";
import { useSessionState } from "../hooks/use-session.ts";

export interface SignedOutProps {
  /** What people see who are not signed in. */
  readonly children?: ReactNode;
}

/**
 * Shows its children when it is certain that nobody is signed in, also when a session has ended;
 * nothing while that is not known.
 */
export function SignedOut({ children }: SignedOutProps): ReactNode {
  return useSessionState("SignedOut").status === "signed-out" ? children : null;
}
