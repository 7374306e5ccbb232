import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/api-token";

export async function loader({ context, request }: Route.LoaderArgs) {
  const refresh = new URL(request.url).searchParams.has("refresh");
  return Response.json({ accessToken: await context.get(authContext).accessToken({ refresh }) });
}
