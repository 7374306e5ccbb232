import type { APIRoute } from "astro";

export const GET: APIRoute = ({ locals }) => {
  const { user, session } = locals.auth.require();
  return Response.json({ ...user, theme: session["theme"] });
};
