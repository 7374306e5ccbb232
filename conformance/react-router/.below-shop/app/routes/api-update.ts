import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/api-update";

export async function action({ context, request }: Route.ActionArgs) {
  const auth = context.get(authContext);
  const { theme } = (await request.json()) as { theme: string };
  await auth.update((session) => ({ ...session, theme: "none" }));
  const session = await auth.update((before) => ({ ...before, theme }));
  return Response.json({ theme: session?.["theme"] });
}
