import { authContext } from "latchkey/react-router";
import { SignedIn, SignedOut, SignInLink } from "latchkey/react";
import { Link } from "react-router";
import type { Route } from "./+types/home";

export function loader({ context }: Route.LoaderArgs) {
  return { name: context.get(authContext).user?.name ?? "stranger" };
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <main>
      <h1>{`Hello ${loaderData.name}`}</h1>
      <SignedIn>
        <p>You are signed in</p>
      </SignedIn>
      <SignedOut>
        <SignInLink />
      </SignedOut>
      <Link to="/private?tab=2">Private page</Link>
      <Link to="/private" prefetch="intent">
        Prefetched page
      </Link>
      <Link to="/act">Act</Link>
    </main>
  );
}
