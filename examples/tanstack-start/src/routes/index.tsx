import { createFileRoute, Link } from "@tanstack/react-router";
import { AccountMenu, SignedIn, SignedOut, SignInLink } from "latchkey/react";

export const Route = createFileRoute("/")({ component: Home });

function Home() {
  return (
    <main>
      <SignedIn>
        <AccountMenu accountHref="/_auth/account" />
      </SignedIn>
      <SignedOut>
        <SignInLink />
      </SignedOut>
      <p>
        <Link to="/private">Private page</Link>
      </p>
    </main>
  );
}
