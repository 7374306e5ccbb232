import { registryFiles } from "../../../../tools/site/component-registry.ts";

const files = registryFiles("..");

export function getStaticPaths() {
  return [...files.keys()].map((file) => ({ params: { file } }));
}

export function GET({ params }) {
  return new Response(files.get(params.file));
}
