/** The packages as users get them: packed, and identified by their contents. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface PackedPackages {
  /** The tarball of `latchkey`. That of `@latchkey/nextjs-auth0` lies beside it. */
  readonly file: string;
  /** Of the bytes of both: the same sources give the same hash. */
  readonly hash: string;
}

/** @throws Error with what npm or the compiler said */
export function packPackages(root: string, folder: string): PackedPackages {
  mkdirSync(folder, { recursive: true });
  const file = pack(root, "latchkey", folder);
  const hash = createHash("sha256").update(readFileSync(file));
  hash.update(readFileSync(pack(root, "nextjs-auth0", folder)));
  return { file, hash: hash.digest("hex") };
}

function pack(root: string, name: string, folder: string): string {
  const cwd = path.join(root, "packages", name);
  const args = ["pack", "--silent", "--pack-destination", folder];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${stdout}${stderr}\nThe package ${name} could not be packed.`);
  return path.join(folder, stdout.trim().split("\n").at(-1) ?? "");
}
