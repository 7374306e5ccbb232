/** Gets a Redis for the tests of its store, on machines that have none. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findRedis, unpackedRedis } from "../../packages/latchkey/test/redis.ts";

const packages = ["redis-server", "redis-tools"];
const stepMs = 120_000;

/**
 * Unpacks the packages of Debian or Ubuntu into `.data/redis`. Neither root nor an installation is
 * needed, because everything that apt writes goes to that folder too.
 *
 * @returns whether there is a Redis now
 */
export function installRedis(): boolean {
  const work = path.join(unpackedRedis, "apt");
  const root = path.join(unpackedRedis, "root");
  rmSync(unpackedRedis, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  try {
    if (download(work).every((archive) => runs("dpkg-deb", ["-x", archive, root])))
      writeCommand(root);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return findRedis() !== null;
}

/** The archives of Redis and of the libraries that this machine lacks. */
function download(work: string): string[] {
  const lists = path.join(work, "lists");
  const archives = path.join(work, "archives");
  for (const folder of [lists, archives]) {
    mkdirSync(path.join(folder, "partial"), { recursive: true });
  }
  const settings = [
    `Dir::State::lists=${lists}`,
    `Dir::Cache::archives=${archives}`,
    "Dir::Cache::pkgcache=",
    "Dir::Cache::srcpkgcache=",
    "Debug::NoLocking=true",
    // Apt's own user could not reach a folder in somebody's home.
    "APT::Sandbox::User=root",
  ].flatMap((setting) => ["-o", setting]);
  const options = ["--yes", "--no-install-recommends", "--download-only", "--reinstall"];
  runs("apt-get", [...settings, "update"]);
  runs("apt-get", [...settings, "install", ...options, ...packages]);
  const names = readdirSync(archives).filter((name) => name.endsWith(".deb"));
  return names.map((name) => path.join(archives, name));
}

/** Writes the command that runs the unpacked server with the libraries unpacked beside it. */
function writeCommand(root: string): void {
  const libraries = path.join(root, "usr/lib");
  const names = existsSync(libraries) ? readdirSync(libraries) : [];
  const folders = names.map((name) => `$root/usr/lib/${name}`).join(":");
  const command = path.join(unpackedRedis, "redis-server");
  const lines = [
    "#!/bin/sh",
    'root="${0%/*}/root"',
    `LD_LIBRARY_PATH="${folders}" exec "$root/usr/bin/redis-server" "$@"`,
  ];
  writeFileSync(command, `${lines.join("\n")}\n`, { mode: 0o755 });
  if (!runs(command, ["--version"])) rmSync(command);
}

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore", timeout: stepMs }).status === 0;
}
