import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "./free-port.ts";
import { findProgram, folderOf, stop, unpacked, untilListening, untilSaid } from "./programs.ts";

const debianFolder = "/usr/lib/postgresql";

/** Returns the folder of the PostgreSQL programs on this machine, or `null` without them. */
export function findPostgres(): string | null {
  const versions = foldersIn(debianFolder).map((version) => join(debianFolder, version, "bin"));
  return folderOf(["initdb", "postgres"], [...versions, unpacked("postgres")]);
}

function foldersIn(root: string): string[] {
  try {
    return readdirSync(root).toSorted().toReversed();
  } catch {
    return [];
  }
}

export interface RunningPostgres {
  readonly port: number;
  /** Of the superuser. */
  readonly url: string;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Ends it as a crash does; resolves when it has ended. */
  crash(): Promise<void>;
  /** Starts it again with the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * PostgreSQL and PgBouncer do not run as root. In a user namespace, root gets another user id, but
 * keeps its rights in every folder.
 */
function withoutRoot(program: string, words: readonly string[]): [string, readonly string[]] {
  if (process.getuid?.() !== 0) return [program, words];
  return ["unshare", ["--user", "--map-user=1000", program, ...words]];
}

const clusterOptions = ["-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];

/** The folder of an empty database. Only the first test of a machine makes one of its version. */
function emptyCluster(programs: string): string {
  const { stdout } = spawnSync(join(programs, "postgres"), ["--version"], { encoding: "utf8" });
  const folder = unpacked("test-postgres");
  const cluster = join(folder, encodeURIComponent(stdout.trim()));
  if (existsSync(cluster)) return cluster;
  mkdirSync(folder, { recursive: true });
  // Whole or not at all, if two processes make it at the same time.
  const draft = mkdtempSync(join(folder, "draft-"));
  const data = join(draft, "data");
  const made = spawnSync(
    ...withoutRoot(join(programs, "initdb"), ["-D", data, "-U", "latchkey", ...clusterOptions]),
    { cwd: draft, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  try {
    renameSync(data, cluster);
  } catch (error) {
    if (!existsSync(cluster)) throw error;
  }
  rmSync(draft, { recursive: true });
  return cluster;
}

/** Starts a PostgreSQL on a free port of the loopback, with a new and empty database. */
export async function startPostgres(programs: string): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-postgres-"));
  const data = join(folder, "data");
  cpSync(emptyCluster(programs), data, { recursive: true });
  // It opens no folder that others may read.
  chmodSync(data, 0o700);
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    fsync: "off",
    shared_buffers: "16MB",
    autovacuum: "off",
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = withoutRoot(join(programs, "postgres"), ["-D", data, "-p", `${port}`, ...words]);
  const start = () => spawn(...command, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let server = start();
  // It listens before it takes anybody in.
  const ready = () => untilSaid(server.stderr, /ready to accept connections/);
  await ready();

  return {
    port,
    url: `postgres://latchkey@127.0.0.1:${port}/postgres`,
    signal: (name) => void server.kill(name),
    async crash() {
      // Everything ends immediately, and nothing is written any more.
      await stop(server, "SIGQUIT");
    },
    async restart() {
      server = start();
      await ready();
    },
    async close() {
      server.kill("SIGCONT");
      // Ends also those who are connected.
      await stop(server, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function findPgBouncer(): string | null {
  return findProgram("pgbouncer", ["/usr/sbin", unpacked("pgbouncer")]);
}

export interface RunningPgBouncer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a PgBouncer in transaction mode, with two connections, before a server. */
export async function startPgBouncer(program: string, target: number): Promise<RunningPgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-pgbouncer-"));
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=127.0.0.1 port=${target} user=latchkey`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 2",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const server = spawn(...withoutRoot(program, [file]), { cwd: folder, stdio: "ignore" });
  await untilListening(server, port);
  return {
    url: `postgres://latchkey@127.0.0.1:${port}/postgres`,
    async close() {
      await stop(server, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
