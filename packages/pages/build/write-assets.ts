import { readdir, readFile, writeFile } from "node:fs/promises";

import type { BuiltAssets, GalleryAssets } from "../src/rendering/page-assets.ts";

type Manifest = Readonly<Record<string, { readonly file: string }>>;

/** Gathers the results of the build for browsers in one module. */
export async function writeAssets(dist: URL): Promise<void> {
  const read = (name: string) => readFile(new URL(name, dist), "utf8");
  const manifests = ["manifest.json", "scripts.json"].map((name) => read(`client/${name}`));
  const manifest: Manifest = Object.assign(
    {},
    ...(await Promise.all(manifests)).map((text) => JSON.parse(text)),
  );
  const fileOf = (name: string) => {
    const entry = manifest[name];
    if (entry === undefined) throw new Error(`${name} has not been built.`);
    return entry.file;
  };
  const style = (name: string) => read(`client/${fileOf(`src/styles/${name}.css`)}`);
  const modules = (await readdir(new URL("client/assets/", dist))).filter((name) =>
    name.endsWith(".js"),
  );
  const assets: BuiltAssets = {
    publicStyle: await style("page"),
    signedInStyle: await style("live-page"),
    publicScript: await read("inline-public/script.js"),
    signedInScript: await read("inline-signed-in/script.js"),
    watchModule: `/${fileOf("src/client/watch.ts")}`,
    modules: Object.fromEntries(
      await Promise.all(
        modules.map(async (name) => [`/assets/${name}`, await read(`client/assets/${name}`)]),
      ),
    ),
  };
  const gallery: GalleryAssets = {
    style: await style("gallery"),
    script: await read("gallery/gallery.js"),
  };
  const module = [
    `export default ${JSON.stringify(assets)};`,
    `export const gallery = ${JSON.stringify(gallery)};`,
  ];
  await writeFile(new URL("assets.js", dist), `${module.join("\n")}\n`);
}
