import type { APIRoute } from "astro";

export const POST: APIRoute = async ({ request }) =>
  new Response(`${(await request.arrayBuffer()).byteLength} bytes`);
