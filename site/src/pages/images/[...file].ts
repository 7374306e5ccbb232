import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const folder = path.join(process.cwd(), "../docs/images");

export function getStaticPaths() {
  return globSync("*.{png,svg}", { cwd: folder }).map((file) => ({ params: { file } }));
}

export function GET({ params }) {
  return new Response(readFileSync(path.join(folder, params.file)));
}
