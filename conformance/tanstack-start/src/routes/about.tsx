import { createFileRoute } from "@tanstack/react-router";
import { SignedIn, SignInProvider } from "latchkey/react";
import { getInitialSession } from "../server/people";

export const Route = createFileRoute("/about")({
  loader: async () => ({ name: (await getInitialSession())?.user.name ?? "nobody" }),
  component: About,
});

/** The build renders it signed out: a provider without a session fetches the user. */
function About() {
  const { name } = Route.useLoaderData();
  return (
    <SignInProvider>
      <h1>{`Built for ${name}`}</h1>
      <SignedIn>{(user) => <p>{`Shown to ${user.name}`}</p>}</SignedIn>
    </SignInProvider>
  );
}
