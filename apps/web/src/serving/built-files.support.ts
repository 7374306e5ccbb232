import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

import type { StaticFiles } from "./built-files.ts";

/** Text of the asset with compressed forms. */
export const assetForTests = "export {};\n".repeat(200);

/** What a build makes, small enough to read in a test. */
export const builtForTests: StaticFiles = { folder: folderForTests(), paths: ["/robots.txt"] };

function folderForTests(): string {
  const folder = join(import.meta.dirname, "../../../../.data/built-for-tests");
  mkdirSync(join(folder, "assets"), { recursive: true });
  const files: Readonly<Record<string, string | Buffer>> = {
    "assets/live-test.js": assetForTests,
    "assets/live-test.js.br": brotliCompressSync(assetForTests),
    "assets/live-test.js.gz": gzipSync(assetForTests),
    "robots.txt": "User-agent: *\n",
  };
  for (const [name, content] of Object.entries(files)) {
    // Another thread may be reading the file.
    const written = join(folder, randomUUID());
    writeFileSync(written, content);
    renameSync(written, join(folder, name));
  }
  return folder;
}
