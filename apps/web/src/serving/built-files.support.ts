import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

import type { BuiltFiles } from "./built-files.ts";

/** Text of the asset that lies beside its compressed forms. */
export const assetForTests = "export {};\n".repeat(200);

/** What a build makes, small enough to read in a test. */
export const builtForTests: BuiltFiles = {
  assets: {
    publicStyle: "h1{color:inherit}",
    signedInStyle: "h2{color:inherit}",
    galleryStyle: "h3{color:inherit}",
    publicScript: "void 0",
    signedInScript: "void 2",
    watchModule: "/assets/live-test.js",
    endingModule: "/assets/ending-test.js",
  },
  galleryScript: "void 1",
  files: { folder: folderForTests(), paths: ["/robots.txt"] },
};

function folderForTests(): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-built-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "assets"));
  const asset = join(folder, "assets/live-test.js");
  writeFileSync(asset, assetForTests);
  writeFileSync(`${asset}.br`, brotliCompressSync(assetForTests));
  writeFileSync(`${asset}.gz`, gzipSync(assetForTests));
  writeFileSync(join(folder, "robots.txt"), "User-agent: *\n");
  writeFileSync(join(folder, "manifest.json"), "{}");
  return folder;
}
