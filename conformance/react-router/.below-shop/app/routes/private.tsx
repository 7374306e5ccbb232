import { authContext } from "latchkey/react-router";
import { Link } from "react-router";
import type { Route } from "./+types/private";

export function loader({ context }: Route.LoaderArgs) {
  const { user } = context.get(authContext).require();
  return { name: user.name ?? user.sub };
}

export default function Private({ loaderData }: Route.ComponentProps) {
  return (
    <main>
      <h1>{`Private page of ${loaderData.name}`}</h1>
      <Link to="/">Home</Link>
    </main>
  );
}
