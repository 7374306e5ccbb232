import type { APIRoute } from "astro";

export const POST: APIRoute = async ({ locals, request }) => {
  const { theme } = (await request.json()) as { theme: string };
  await locals.auth.update((session) => ({ ...session, theme: "none" }));
  const session = await locals.auth.update((before) => ({ ...before, theme }));
  return Response.json({ theme: session?.["theme"] });
};
