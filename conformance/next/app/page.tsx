import { SignedIn, SignedOut, SignInLink } from "latchkey/react";
import Link from "next/link";
import { auth } from "../auth";

export default async function Home() {
  const { user } = await auth();
  return (
    <main>
      <h1>{`Hello ${user?.name ?? "stranger"}`}</h1>
      <SignedIn>
        <p>You are signed in</p>
      </SignedIn>
      <SignedOut>
        <SignInLink />
      </SignedOut>
      <Link href="/private?tab=2">Private page</Link>
      <Link href="/private">Prefetched page</Link>
      <Link href="/act">Act</Link>
    </main>
  );
}
