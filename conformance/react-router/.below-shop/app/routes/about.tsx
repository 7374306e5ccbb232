import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/about";

export function loader({ context }: Route.LoaderArgs) {
  return { name: context.get(authContext).user?.name ?? "nobody" };
}

export default function About({ loaderData }: Route.ComponentProps) {
  return <h1>{`Built for ${loaderData.name}`}</h1>;
}
