import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Route } from "./+types/files";

export async function loader({ params }: Route.LoaderArgs) {
  const file = path.join("files", path.basename(params["*"]));
  return new Response(await readFile(file, "utf8"));
}
