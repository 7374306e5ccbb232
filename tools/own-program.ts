import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/**
 * A program of a folder with packages of its own, so other commands do not wait for them. The first
 * call installs them.
 *
 * @param program - its path below `node_modules`
 * @param name - for a reader
 * @returns the path of the program
 * @throws Error with what npm said
 */
export function ownProgram(folder: string, program: string, name: string): string {
  const file = path.join(folder, "node_modules", program);
  if (existsSync(file)) return file;
  console.log(`Installing ${name} (once) ...`);
  const { status, stderr } = spawnSync("npm", ["ci", "--ignore-scripts", "--prefer-offline"], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${stderr}\nCould not install ${name}.`);
  return file;
}
