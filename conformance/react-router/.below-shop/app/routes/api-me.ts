import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/api-me";

export function loader({ context }: Route.LoaderArgs) {
  const { user, session } = context.get(authContext).require();
  return Response.json({ ...user, theme: session["theme"] });
}
