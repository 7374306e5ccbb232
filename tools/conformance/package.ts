/** The packages as users get them: packed, and identified by their contents. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface PackedPackages {
  /**
   * The tarballs of `latchkey` and `@latchkey/pages`. That of `@latchkey/nextjs-auth0` lies beside.
   */
  readonly files: readonly string[];
  /** Of the bytes of all: the same sources give the same hash. */
  readonly hash: string;
}

/** @throws Error with what npm or the compiler said */
export function packPackages(root: string, folder: string): PackedPackages {
  mkdirSync(folder, { recursive: true });
  const files = ["latchkey", "pages"].map((name) => pack(root, name, folder));
  const hash = createHash("sha256");
  for (const file of [...files, pack(root, "nextjs-auth0", folder)])
    hash.update(readFileSync(file));
  return { files, hash: hash.digest("hex") };
}

function pack(root: string, name: string, folder: string): string {
  const cwd = path.join(root, "packages", name);
  const args = ["pack", "--silent", "--pack-destination", folder];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${stdout}${stderr}\nThe package ${name} could not be packed.`);
  return path.join(folder, stdout.trim().split("\n").at(-1) ?? "");
}
