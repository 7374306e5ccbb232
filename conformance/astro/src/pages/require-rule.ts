import type { APIRoute } from "astro";

export const GET: APIRoute = ({ locals }) => {
  const { user } = locals.auth.require((session) => session.user.sub === "person-ada");
  return new Response(`Editor ${user.name}`);
};
