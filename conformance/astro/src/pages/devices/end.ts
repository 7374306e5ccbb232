import type { APIRoute } from "astro";

export const POST: APIRoute = async ({ locals }) => {
  await locals.auth.endDevices("all");
  return new Response("Signed out everywhere");
};
