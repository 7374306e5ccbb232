import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/cacheable";

export function loader({ context, request }: Route.LoaderArgs) {
  const reads = new URL(request.url).searchParams.has("read");
  const name = reads ? context.get(authContext).user?.name : "everybody";
  return new Response(`For ${name ?? "strangers"}`, {
    headers: { "Cache-Control": "public, max-age=600, immutable", Vary: "Accept-Encoding" },
  });
}
