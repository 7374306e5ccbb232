import { readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "@sveltejs/kit";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = async ({ params }) =>
  text(await readFile(path.join("files", path.basename(params.name)), "utf8"));
