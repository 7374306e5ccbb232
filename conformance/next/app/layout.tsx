import { SignInProvider } from "latchkey/react";
import type { ReactNode } from "react";
import { initialSession } from "../auth";

export default async function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <SignInProvider initialSession={await initialSession()}>{children}</SignInProvider>
      </body>
    </html>
  );
}
