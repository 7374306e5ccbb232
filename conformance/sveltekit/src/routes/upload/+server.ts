import { text } from "@sveltejs/kit";
import type { RequestHandler } from "./$types";

export const POST: RequestHandler = async ({ request }) =>
  text(`${(await request.arrayBuffer()).byteLength} bytes`);
