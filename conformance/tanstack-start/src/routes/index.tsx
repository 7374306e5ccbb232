import { createFileRoute, Link } from "@tanstack/react-router";
import { SignedIn, SignedOut, SignInLink } from "latchkey/react";
import { getInitialSession } from "../server/people";

export const Route = createFileRoute("/")({
  loader: async () => ({ name: (await getInitialSession())?.user.name ?? "stranger" }),
  component: Home,
});

function Home() {
  const { name } = Route.useLoaderData();
  return (
    <main>
      <h1>{`Hello ${name}`}</h1>
      <SignedIn>
        <p>You are signed in</p>
      </SignedIn>
      <SignedOut>
        <SignInLink />
      </SignedOut>
      <Link to="/private" search={{ tab: 2 }} preload={false}>
        Private page
      </Link>
      <Link to="/private">Prefetched page</Link>
      <Link to="/act">Act</Link>
    </main>
  );
}
