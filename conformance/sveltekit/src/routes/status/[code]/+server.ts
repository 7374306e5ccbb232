import type { RequestHandler } from "./$types";

export const GET: RequestHandler = ({ params }) =>
  new Response(null, { status: Number(params.code) });
