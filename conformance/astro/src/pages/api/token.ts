import type { APIRoute } from "astro";

export const GET: APIRoute = async ({ locals, url }) => {
  const refresh = url.searchParams.has("refresh");
  return Response.json({ accessToken: await locals.auth.accessToken({ refresh }) });
};
