import type { ReactNode } from "react";
import { useSessionState } from "../hooks/use-session.ts";

export interface SignedOutProps {
  /** The content for signed-out users. */
  readonly children?: ReactNode;
}

/**
 * Shows its children if no user is signed in, also after the end of a session; while loading,
 * nothing.
 */
export function SignedOut({ children }: SignedOutProps): ReactNode {
  return useSessionState("SignedOut").status === "signed-out" ? children : null;
}
