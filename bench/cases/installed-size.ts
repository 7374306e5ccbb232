import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { World } from "../world.ts";
import type { Case } from "./case.ts";

interface Installed {
  readonly megabytes: number;
  readonly packages: number;
}

const root = path.join(import.meta.dirname, "../..");
const benchModules = path.join(import.meta.dirname, "../node_modules");
const peers = ["express-openid-connect", "@hono/oidc-auth", "better-auth"];

/** What an app gets on its disk: our tarball installed into an empty folder, the peers as they are installed here. */
export const installedSize: Case = {
  name: "installed-size",
  async measure(world) {
    const found = new Map<string, Installed>(peers.map((name) => [name, closureOf(name)]));
    const remarks: string[] = [];
    try {
      found.set("latchkey", installed(world));
    } catch (error) {
      remarks.push(`Installed size: latchkey could not be packed and installed. ${String(error)}`);
    }
    const figures = (pick: (installed: Installed) => number) =>
      new Map([...found].map(([name, each]) => [name, [pick(each)]]));
    const comparisons = peers.map((to) => ({ of: "latchkey", to }));
    return [
      {
        title: "installed with dependencies",
        unit: "MB",
        figures: figures(({ megabytes }) => megabytes),
        comparisons,
        limits: [{ of: "latchkey", bar: 2 }],
        remarks,
      },
      {
        title: "installed with dependencies",
        unit: "packages",
        figures: figures(({ packages }) => packages),
        comparisons,
        limits: [{ of: "latchkey", bar: 6 }],
      },
    ];
  },
};

function installed({ folder }: World): Installed {
  const home = path.join(folder, "installed");
  mkdirSync(home);
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const packed = npm(root, "pack", "--workspace", "latchkey", "--json", "--pack-destination", home);
  writeFileSync(path.join(home, "package.json"), '{ "private": true, "type": "module" }\n');
  const [{ filename }] = JSON.parse(packed);
  npm(home, "install", "--prefer-offline", "--no-audit", "--no-fund", `./${filename}`);
  const modules = path.join(home, "node_modules");
  const lock = JSON.parse(readFileSync(path.join(modules, ".package-lock.json"), "utf8"));
  const packages = Object.keys(lock.packages);
  return { megabytes: bytesBelow(modules) / 1e6, packages: packages.length };
}

/** A package with all that it depends on, as Node finds it from one to the next; peers that apps have anyway too. */
function closureOf(name: string): Installed {
  const folders = new Set<string>();
  const waiting = [path.join(benchModules, name)];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (folders.has(folder)) continue;
    folders.add(folder);
    const { dependencies = {} } = JSON.parse(
      readFileSync(path.join(folder, "package.json"), "utf8"),
    );
    for (const each of Object.keys(dependencies)) {
      const found = resolveFrom(folder, each);
      if (found !== undefined) waiting.push(found);
    }
  }
  const bytes = [...folders].reduce((sum, folder) => sum + bytesBelow(folder, true), 0);
  return { megabytes: bytes / 1e6, packages: folders.size };
}

function resolveFrom(folder: string, name: string): string | undefined {
  for (let at = folder; at.startsWith(path.dirname(benchModules)); at = path.dirname(at)) {
    const candidate = path.join(at, "node_modules", name);
    if (statSync(path.join(candidate, "package.json"), { throwIfNoEntry: false })) return candidate;
  }
  return undefined;
}

/** @param alone - leaves out packages that lie inside this one: they count for themselves */
function bytesBelow(folder: string, alone = false): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      return alone && entry.name === "node_modules" ? sum : sum + bytesBelow(place, alone);
    }
    return entry.isFile() ? sum + statSync(place).size : sum;
  }, 0);
}
