import { createFileRoute } from "@tanstack/react-router";
import { getName } from "../server/users";

export const Route = createFileRoute("/private")({ loader: () => getName(), component: Private });

function Private() {
  return (
    <main>
      <h1>{`Hello ${Route.useLoaderData()}`}</h1>
      <a href="/api/auth/logout">Sign out</a>
    </main>
  );
}
