import { SignInProvider } from "latchkey/react";
import type { ReactNode } from "react";
import { initialSession } from "../auth";

// Without an icon, browsers request /favicon.ico.
export const metadata = { icons: "data:," };

export default async function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <SignInProvider initialSession={await initialSession()}>{children}</SignInProvider>
      </body>
    </html>
  );
}
