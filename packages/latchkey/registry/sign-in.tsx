import { SignedOut, SignInLink } from "latchkey/react";
import type { ReactNode } from "react";

interface SignInProps {
  readonly title?: string;
  /** A sentence about the app. */
  readonly children?: ReactNode;
}

/** Leads to the login of the provider, and back to this page. Signed-in users see nothing. */
export function SignIn({ title = "Sign in to continue", children }: SignInProps) {
  return (
    <SignedOut>
      <section className="mx-auto grid w-full max-w-sm gap-4 rounded-xl border bg-card p-6 text-card-foreground shadow-sm">
        <h2 className="text-xl font-semibold">{title}</h2>
        {children !== undefined && <p className="text-sm text-muted-foreground">{children}</p>}
        <SignInLink className="w-full" />
      </section>
    </SignedOut>
  );
}
