import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { runStep } from "../../tools/check/step.ts";
import type { Addition } from "./host.ts";

/** A copy of a host's example, in a folder of it. */
export interface ExampleCopy {
  readonly folder: string;
  /** Changes a file in one step, as editors do, so that no process reads half of it. */
  edit(file: string, change: (text: string) => string): void;
  /** @throws Error with what the build said */
  build(): Promise<void>;
  remove(): void;
}

/**
 * Packages, build output and tests are not copied: Node finds the packages in the parent folder.
 */
export function copyExample(
  hostFolder: string,
  name: string,
  additions: readonly Addition[] = [],
): ExampleCopy {
  const folder = path.join(hostFolder, name);
  const left = /^(?:node_modules|dist|build|\..*)$|\.test\.ts$/;
  rmSync(folder, { recursive: true, force: true });
  for (const entry of readdirSync(hostFolder).filter((each) => !left.test(each))) {
    cpSync(path.join(hostFolder, entry), path.join(folder, entry), {
      recursive: true,
      filter: (from) => !left.test(path.basename(from)),
    });
  }
  const copy = {
    folder,
    edit: editor(folder),
    build: () => build(folder),
    remove: () => rmSync(folder, { recursive: true }),
  };
  for (const { file, behind, put } of additions)
    copy.edit(file, (text) => text.replace(behind, behind + put));
  return copy;
}

function editor(folder: string): ExampleCopy["edit"] {
  return (file, change) => {
    const place = path.join(folder, file);
    const written = path.join(folder, ".written");
    writeFileSync(written, change(existsSync(place) ? readFileSync(place, "utf8") : ""));
    renameSync(written, place);
  };
}

async function build(cwd: string): Promise<void> {
  const command = ["npm", "run", "build"] as const;
  // The test runner has another one.
  const env = { NODE_ENV: "production" };
  const { exitCode, output } = await runStep({ name: "build", command, cwd, env });
  if (exitCode !== 0) throw new Error(output);
}
