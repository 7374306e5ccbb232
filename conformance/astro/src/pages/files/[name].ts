import { readFile } from "node:fs/promises";
import path from "node:path";
import type { APIRoute } from "astro";

export const GET: APIRoute = async ({ params }) => {
  const file = path.join("files", path.basename(params["name"] ?? ""));
  return new Response(await readFile(file, "utf8"));
};
