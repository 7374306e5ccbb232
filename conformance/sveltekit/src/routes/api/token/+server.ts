import { json } from "@sveltejs/kit";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = async ({ locals, url }) => {
  const refresh = url.searchParams.has("refresh");
  return json({ accessToken: await locals.auth.accessToken({ refresh }) });
};
