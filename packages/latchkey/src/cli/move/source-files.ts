import { readdirSync } from "node:fs";
import { join } from "node:path";

const leftOut = /^(?:node_modules|\.git|\.next|\.vercel|out|dist|build|coverage)$/;
const ofCode = /(?<!\.d)\.[cm]?[jt]sx?$/;

/** Returns the files with code of an app, by their paths with slashes on every system. */
export function sourceFiles(folder: string, below = ""): readonly string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .filter(({ name }) => !leftOut.test(name))
    .flatMap((entry) => {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return sourceFiles(folder, path);
      return entry.isFile() && ofCode.test(entry.name) ? [path] : [];
    })
    .toSorted();
}

/** Returns the files with variables of an app, such as `.env.local`. */
export function variableFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^\.env(?:\.|$)/.test(name))
    .toSorted();
}
