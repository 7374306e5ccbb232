import type { Route } from "./+types/status";

export function loader({ params }: Route.LoaderArgs) {
  return new Response(null, { status: Number(params.code) });
}
