import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Environment } from "../../config/environment.ts";
import type { Project } from "./project.ts";

export const managers = ["npm", "pnpm", "yarn", "bun"] as const;
export type Manager = (typeof managers)[number];

const lockFiles: Readonly<Record<string, Manager>> = {
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
};

/**
 * Returns the package managers of a project, usually one: that of `packageManager`, those of the
 * nearest lock files, that of the running command, or npm.
 */
export function managersOf({ folder, manifest }: Project, environment: Environment): Manager[] {
  const named = managers.find((name) => manifest.packageManager.startsWith(`${name}@`));
  if (named !== undefined) return [named];
  const locked = lockedBy(folder);
  if (locked.length > 0) return locked;
  const agent = environment["npm_config_user_agent"] ?? "";
  return [managers.find((name) => agent.startsWith(`${name}/`)) ?? "npm"];
}

function lockedBy(folder: string): Manager[] {
  const found = Object.entries(lockFiles).filter(([file]) => existsSync(join(folder, file)));
  if (found.length > 0) return [...new Set(found.map(([, manager]) => manager))];
  const parent = dirname(folder);
  return parent === folder || existsSync(join(folder, ".git")) ? [] : lockedBy(parent);
}

export function installCommand(
  manager: Manager,
  packages: readonly string[],
  isDev: boolean,
): string {
  const verb = manager === "npm" ? "install" : "add";
  const flag = isDev ? ["-D"] : [];
  return [manager, verb, ...flag, ...packages].join(" ");
}

export function removeCommand(manager: Manager, packages: readonly string[]): string {
  return [manager, manager === "npm" ? "uninstall" : "remove", ...packages].join(" ");
}
