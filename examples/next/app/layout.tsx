import { SignInProvider } from "latchkey/react";
import "latchkey/react/styles.css";
import type { ReactNode } from "react";
import { initialSession } from "../auth";

export const metadata = { title: "Latchkey with Next.js", icons: "data:," };

export default async function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <SignInProvider initialSession={await initialSession()}>{children}</SignInProvider>
      </body>
    </html>
  );
}
