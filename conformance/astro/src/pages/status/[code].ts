import type { APIRoute } from "astro";

export const GET: APIRoute = ({ params }) => new Response(null, { status: Number(params["code"]) });
