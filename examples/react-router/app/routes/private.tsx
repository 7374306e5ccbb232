import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/private";

export function loader({ context }: Route.LoaderArgs) {
  const { user } = context.get(authContext).require();
  return { name: user.name ?? user.sub };
}

export default function Private({ loaderData }: Route.ComponentProps) {
  return (
    <main>
      <h1>{`Hello ${loaderData.name}`}</h1>
      <a href="/api/auth/logout">Sign out</a>
    </main>
  );
}
