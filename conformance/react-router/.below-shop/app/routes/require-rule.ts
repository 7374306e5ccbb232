import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/require-rule";

export function loader({ context }: Route.LoaderArgs) {
  const auth = context.get(authContext);
  const { user } = auth.require((session) => session.user.sub === "person-ada");
  return new Response(`Editor ${user.name}`);
}
