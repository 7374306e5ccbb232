import { readdir, readFile, writeFile } from "node:fs/promises";

import type { BuiltAssets, GalleryAssets } from "../src/rendering/page-assets.ts";
import type { StylePart } from "../src/rendering/style-sheets.ts";

/** The files of the parts of style sheets. */
const styleFiles: Readonly<Record<StylePart, string>> = {
  base: "src/styles/base.css",
  public: "src/styles/public.css",
  signedIn: "src/styles/signed-in.css",
  column: "src/styles/column.css",
  copying: "src/styles/copying.css",
  account: "src/styles/pages/account.css",
  details: "src/styles/pages/details.css",
  devices: "src/styles/pages/devices.css",
  home: "src/styles/pages/home.css",
  problem: "src/styles/pages/problem.css",
  print: "src/styles/print.css",
};

const galleryStyle = "src/styles/gallery.css";

/** The style sheets to build, by the names of their results. */
export const styleInputs = { ...styleFiles, gallery: galleryStyle };

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
  const style = async (file: string) => (await read(`client/${fileOf(file)}`)).trimEnd();
  const styleParts = await Promise.all(
    Object.entries(styleFiles).map(async ([name, file]) => [name, await style(file)]),
  );
  const modules = (await readdir(new URL("client/assets/", dist))).filter((name) =>
    name.endsWith(".js"),
  );
  const assets: BuiltAssets = {
    styleParts: Object.fromEntries(styleParts),
    publicScript: await read("inline-public/script.js"),
    signedInScript: await read("inline-signed-in/script.js"),
    copyScript: await read("inline-copy/script.js"),
    watchModule: `/${fileOf("src/client/watch.ts")}`,
    modules: Object.fromEntries(
      await Promise.all(
        modules.map(async (name) => [`/assets/${name}`, await read(`client/assets/${name}`)]),
      ),
    ),
  };
  const gallery: GalleryAssets = {
    style: await style(galleryStyle),
    script: await read("gallery/gallery.js"),
  };
  const module = [
    `export default ${JSON.stringify(assets)};`,
    `export const gallery = ${JSON.stringify(gallery)};`,
  ];
  await writeFile(new URL("assets.js", dist), `${module.join("\n")}\n`);
}
