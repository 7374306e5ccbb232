import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/private";

export function loader({ context }: Route.LoaderArgs) {
  return { email: context.get(authContext).require().user.email };
}

export default function Private({ loaderData }: Route.ComponentProps) {
  return (
    <main>
      <h1>{`Hello ${loaderData.email}`}</h1>
      <a href="/api/auth/logout">Sign out</a>
    </main>
  );
}
