/** Unpacks programs from packages of Debian or Ubuntu, without root. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

export interface DebianPrograms {
  readonly packages: readonly string[];
  /** Names of the programs. */
  readonly programs: readonly string[];
  /** The folder for the commands. */
  readonly folder: string;
  /** Folders to remove. */
  readonly unneeded?: readonly string[];
}

const stepMs = 300_000;

/**
 * Unpacks packages into one folder, and writes a command for each program, which uses the libraries
 * of this folder. Apt writes its own files there, too.
 */
export function unpackPrograms(wanted: DebianPrograms): void {
  const { packages, programs, folder, unneeded = [] } = wanted;
  const work = path.join(folder, "apt");
  const root = path.join(folder, "root");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  try {
    const archives = download(work, packages);
    if (!archives.every((archive) => runs("dpkg-deb", ["-x", archive, root]))) return;
    for (const each of unneeded) rmSync(path.join(root, each), { recursive: true, force: true });
    for (const program of programs) writeCommand(folder, program);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Downloads the packages and the missing libraries. Returns the archives. */
function download(work: string, packages: readonly string[]): string[] {
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
    // The user of apt cannot read a folder in a home directory.
    "APT::Sandbox::User=root",
  ].flatMap((setting) => ["-o", setting]);
  const options = ["--yes", "--no-install-recommends", "--download-only", "--reinstall"];
  runs("apt-get", [...settings, "update"]);
  runs("apt-get", [...settings, "install", ...options, ...packages]);
  const names = readdirSync(archives).filter((name) => name.endsWith(".deb"));
  return names.map((name) => path.join(archives, name));
}

function writeCommand(folder: string, program: string): void {
  const root = path.join(folder, "root");
  const [file] = globSync(`usr/{bin,sbin,lib/postgresql/*/bin}/${program}`, { cwd: root });
  if (file === undefined) return;
  const libraries = path.join(root, "usr/lib");
  const names = existsSync(libraries) ? readdirSync(libraries) : [];
  const folders = names.map((name) => `$root/usr/lib/${name}`).join(":");
  const lines = [
    "#!/bin/sh",
    'root="${0%/*}/root"',
    `LD_LIBRARY_PATH="${folders}" exec "$root/${file}" "$@"`,
  ];
  const command = path.join(folder, program);
  writeFileSync(command, `${lines.join("\n")}\n`, { mode: 0o755 });
  const wordsForVersion = ["--version", "-v", "version"];
  if (!wordsForVersion.some((word) => runs(command, [word]))) rmSync(command);
}

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore", timeout: stepMs }).status === 0;
}
