import { mkdir, writeFile } from "node:fs/promises";

import type { BuiltAssets, GalleryAssets } from "../../../packages/pages/src/web-application.ts";

interface BuiltModule {
  readonly default: BuiltAssets;
  readonly gallery: GalleryAssets;
}

/** Takes over what `@latchkey/pages` has built: modules as files, the rest as `assets.json`. */
export async function copyAssets(from: URL, dist: URL): Promise<void> {
  const built = (await import(from.href)) as BuiltModule;
  const { modules, ...assets } = built.default;
  await mkdir(new URL("client/assets/", dist), { recursive: true });
  for (const [path, code] of Object.entries(modules))
    await writeFile(new URL(`client${path}`, dist), code);
  await writeFile(
    new URL("assets.json", dist),
    JSON.stringify({ ...assets, gallery: built.gallery }),
  );
}
