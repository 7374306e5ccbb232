/**
 * Makes the built package carry the part of valibot that it uses, instead of depending on all of it: the parts
 * that check settings are a few kilobytes, the installed package is almost two megabytes.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
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

const installed = '"valibot"';
const carried = '"../carried/valibot.js"';

/** Before packing. */
async function carry(): Promise<void> {
  const files = await builtFiles();
  const code = files.filter(({ name }) => name.endsWith(".js")).map(({ text }) => text);
  await mkdir(path.join(dist, "carried"), { recursive: true });
  await bundle(namesUsed(code.join("\n")));
  await copyFile(path.join(valibot, "dist/index.d.mts"), path.join(dist, "carried/valibot.d.ts"));
  await copyFile(path.join(valibot, "LICENSE.md"), path.join(dist, "carried/valibot.LICENSE.md"));
  await rewrite(files, installed, carried);
}

/** After packing: in the repository the library itself is used. */
async function layDown(): Promise<void> {
  await rewrite(await builtFiles(), carried, installed);
  await rm(path.join(dist, "carried"), { recursive: true, force: true });
}

interface BuiltFile {
  readonly name: string;
  readonly text: string;
}

function builtFiles(): Promise<readonly BuiltFile[]> {
  return Promise.all(
    importers.map(async (name) => ({ name, text: await readFile(path.join(dist, name), "utf8") })),
  );
}

async function rewrite(files: readonly BuiltFile[], from: string, to: string): Promise<void> {
  await Promise.all(
    files.map(({ name, text }) => writeFile(path.join(dist, name), text.replaceAll(from, to))),
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

if (import.meta.main) await (process.argv.includes("--after") ? layDown() : carry());
