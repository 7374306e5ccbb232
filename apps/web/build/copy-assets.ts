import { mkdir, readFile, writeFile } from "node:fs/promises";

import type { BuiltAssets } from "@latchkey/pages/web-application";

/** Takes over what `@latchkey/pages` has built: modules as files, the rest as `assets.json`. */
export async function copyAssets(from: URL, dist: URL): Promise<void> {
  const { modules, ...assets } = JSON.parse(await readFile(from, "utf8")) as BuiltAssets;
  await mkdir(new URL("client/assets/", dist), { recursive: true });
  for (const [path, code] of Object.entries(modules))
    await writeFile(new URL(`client${path}`, dist), code);
  await writeFile(new URL("assets.json", dist), JSON.stringify(assets));
}
