import { json } from "@sveltejs/kit";
import type { RequestHandler } from "./$types";

export const POST: RequestHandler = async ({ locals, request }) => {
  const { theme } = (await request.json()) as { theme: string };
  await locals.auth.update((session) => ({ ...session, theme: "none" }));
  const session = await locals.auth.update((before) => ({ ...before, theme }));
  return json({ theme: session?.["theme"] });
};
