import { mkdir, writeFile } from "node:fs/promises";

interface BuiltModule {
  readonly default: { readonly modules: Readonly<Record<string, string>> };
}

/** Takes over the modules that `@latchkey/pages` has built for browsers, as files. */
export async function copyAssets(from: URL, client: URL): Promise<void> {
  const { default: built } = (await import(from.href)) as BuiltModule;
  await mkdir(new URL("assets/", client), { recursive: true });
  for (const [path, code] of Object.entries(built.modules))
    await writeFile(new URL(path.slice(1), client), code);
}
