import type { APIRoute } from "astro";

export const GET: APIRoute = ({ locals }) =>
  new Response(`Member ${locals.auth.require().user.name}`);
