import type { Route } from "./+types/upload";

export async function action({ request }: Route.ActionArgs) {
  return new Response(`${(await request.arrayBuffer()).byteLength} bytes`);
}
