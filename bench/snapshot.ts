import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import path from "node:path";

const bench = import.meta.dirname;
const root = path.join(bench, "..");

/**
 * Copies what is measured into the folder, so that nobody who builds meanwhile changes it under the run: the servers
 * in `servers/`, the web application in `web/`, and the package where both find it. Whatever else they import
 * is where it was.
 */
export async function takeSnapshot(folder: string): Promise<void> {
  const modules = path.join(folder, "node_modules");
  await mkdir(modules);
  const own = new Set(["latchkey", "@latchkey", ".bin", ".package-lock.json"]);
  for (const name of await readdir(path.join(root, "node_modules"))) {
    if (own.has(name)) continue;
    await symlink(path.join(root, "node_modules", name), path.join(modules, name));
  }
  await copyBuilt(path.join(root, "packages/latchkey"), path.join(modules, "latchkey"));
  await copyBuilt(path.join(root, "apps/web"), path.join(folder, "web"));
  await cp(path.join(bench, "servers"), path.join(folder, "servers"), { recursive: true });
  await symlink(path.join(bench, "node_modules"), path.join(folder, "servers/node_modules"));
}

/** A workspace that has not been built is left out: its server will not start, which the table tells. */
async function copyBuilt(from: string, to: string): Promise<void> {
  await cp(path.join(from, "package.json"), path.join(to, "package.json"));
  const isMissing = (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  };
  await cp(path.join(from, "dist"), path.join(to, "dist"), { recursive: true }).catch(isMissing);
}
