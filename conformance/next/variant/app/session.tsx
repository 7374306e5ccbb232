import { SignInProvider } from "latchkey/react";
import type { ReactNode } from "react";
import { initialSession } from "../auth";

export async function Session({ children }: { readonly children: ReactNode }) {
  return <SignInProvider initialSession={await initialSession()}>{children}</SignInProvider>;
}
