/** The package as users get it: packed, and named by what is in it. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface PackedPackage {
  readonly file: string;
  /** Of the bytes: the same sources give the same hash. */
  readonly hash: string;
}

/** @throws Error with what npm or the compiler said */
export function packLatchkey(root: string, folder: string): PackedPackage {
  mkdirSync(folder, { recursive: true });
  const cwd = path.join(root, "packages/latchkey");
  const args = ["pack", "--silent", "--pack-destination", folder];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${stdout}${stderr}\nThe package could not be packed.`);
  const file = path.join(folder, stdout.trim().split("\n").at(-1) ?? "");
  return { file, hash: createHash("sha256").update(readFileSync(file)).digest("hex") };
}
