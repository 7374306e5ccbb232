import { AccountMenu, SignedIn, SignedOut, SignInLink } from "latchkey/react";
import Link from "next/link";

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
        <Link href="/private">Private page</Link>
      </p>
    </main>
  );
}
