import { createFileRoute } from "@tanstack/react-router";
import { getEmail } from "../server/users";

export const Route = createFileRoute("/private")({ loader: () => getEmail(), component: Private });

function Private() {
  return (
    <main>
      <h1>{`Hello ${Route.useLoaderData()}`}</h1>
      <a href="/api/auth/logout">Sign out</a>
    </main>
  );
}
