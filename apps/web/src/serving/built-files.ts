import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

import type { PageAssets } from "../rendering/page-assets.ts";

/** A file that browsers may load, in every coding there is of it. */
export interface StaticFile {
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its content: it may be kept for ever. */
  readonly immutable: boolean;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly br?: Uint8Array<ArrayBuffer>;
  readonly gzip?: Uint8Array<ArrayBuffer>;
}

/** Everything that the build made for browsers, held in memory: a handful of files. */
export interface BuiltFiles {
  readonly assets: PageAssets;
  /** Brings the pages of the gallery to life; empty where the build has none. */
  readonly galleryScript: string;
  /** By path, e.g. `/assets/live-1a2b3c.js`. */
  readonly files: ReadonlyMap<string, StaticFile>;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Reads what the build made.
 *
 * @param folder the `dist` folder
 * @throws Error where it has not been built
 */
export function readBuiltFiles(folder: URL): BuiltFiles {
  const client = fileURLToPath(new URL("client/", folder));
  const manifest: Manifest = JSON.parse(readFileSync(join(client, "manifest.json"), "utf8"));
  const read = (name: string) => readFileSync(join(client, fileOf(manifest, name)), "utf8");
  return {
    assets: {
      publicStyle: read("src/styles/page.css"),
      signedInStyle: read("src/styles/live-page.css"),
      galleryStyle: read("src/styles/gallery.css"),
      inlineScript: readFileSync(new URL("inline/inline.js", folder), "utf8"),
      liveModule: `/${fileOf(manifest, "src/client/live.tsx")}`,
    },
    galleryScript: readOptional(new URL("gallery/gallery.js", folder)),
    files: new Map(staticFiles(client)),
  };
}

function readOptional(file: URL): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

type Manifest = Readonly<Record<string, { readonly file: string }>>;

function fileOf(manifest: Manifest, name: string): string {
  const entry = manifest[name];
  if (entry === undefined) throw new Error(`${name} has not been built. Run npm run build.`);
  return entry.file;
}

function* staticFiles(folder: string): Generator<[path: string, file: StaticFile]> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = new Set(found.map((entry) => join(entry.parentPath, entry.name)));
  for (const entry of found) {
    const name = join(entry.parentPath, entry.name);
    const type = types[extname(name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = `/${relative(folder, name).split(sep).join("/")}`;
    const plain = new Uint8Array(readFileSync(name));
    yield [
      path,
      {
        type,
        plain,
        etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
        immutable: path.startsWith("/assets/"),
        ...(names.has(`${name}.br`) ? { br: new Uint8Array(readFileSync(`${name}.br`)) } : {}),
        ...(names.has(`${name}.gz`) ? { gzip: new Uint8Array(readFileSync(`${name}.gz`)) } : {}),
      },
    ];
  }
}
