import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/require";

export function loader({ context }: Route.LoaderArgs) {
  return new Response(`Member ${context.get(authContext).require().user.name}`);
}
