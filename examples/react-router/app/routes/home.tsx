import { AccountMenu, SignedIn, SignedOut, SignInLink } from "latchkey/react";
import { Link } from "react-router";

export default function Home() {
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
