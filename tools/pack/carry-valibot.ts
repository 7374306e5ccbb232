/**
 * Makes the built package carry the part of valibot that it uses, instead of depending on all of it: the parts
 * that check settings are a few kilobytes, the installed package is almost two megabytes.
 */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { rolldown } from "rolldown";

const dist = path.join(import.meta.dirname, "../../packages/latchkey/dist");
const valibot = path.join(createRequire(import.meta.url).resolve("valibot"), "../..");

/** The built files that import valibot, code and types. */
const importers = ["config/settings.js", "config/settings.d.ts", "config/config.js"];

/** The names that the code uses: `v.name` wherever it stands. */
export function namesUsed(code: string): readonly string[] {
  return [...new Set([...code.matchAll(/\bv\.(\w+)/g)].map(([, name = ""]) => name))].toSorted();
}

async function carry(): Promise<void> {
  const files = await Promise.all(
    importers.map(async (name) => ({ name, text: await readFile(path.join(dist, name), "utf8") })),
  );
  const code = files.filter(({ name }) => name.endsWith(".js")).map(({ text }) => text);
  const names = namesUsed(code.join("\n"));
  // A second packing finds the work done.
  if (files.every(({ text }) => !text.includes('"valibot"'))) return;
  await mkdir(path.join(dist, "carried"), { recursive: true });
  await bundle(names);
  await copyFile(path.join(valibot, "dist/index.d.mts"), path.join(dist, "carried/valibot.d.ts"));
  await copyFile(path.join(valibot, "LICENSE.md"), path.join(dist, "carried/valibot.LICENSE.md"));
  await Promise.all(
    files.map(({ name, text }) =>
      writeFile(path.join(dist, name), text.replaceAll('"valibot"', '"../carried/valibot.js"')),
    ),
  );
}

async function bundle(names: readonly string[]): Promise<void> {
  const entry = "carried-valibot";
  const build = await rolldown({
    input: entry,
    plugins: [
      {
        name: "the names that are used",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? `export { ${names.join(", ")} } from "valibot";` : null),
      },
    ],
  });
  await build.write({ file: path.join(dist, "carried/valibot.js"), format: "esm", minify: true });
}

if (import.meta.main) await carry();
