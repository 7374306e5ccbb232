import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { freePort } from "./redis.ts";

/** Where `npm test` unpacks a PostgreSQL on a machine that has none. */
export const unpackedPostgres = join(import.meta.dirname, "../../../.data/postgres");

const debianFolder = "/usr/lib/postgresql";

/** The folder of the programs of PostgreSQL on this machine; `null` where there is none. */
export function findPostgres(): string | null {
  const versions = (root: string) => foldersIn(root).map((version) => join(root, version, "bin"));
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions(debianFolder),
    unpackedPostgres,
  ];
  return (
    folders.find((folder) => ["initdb", "postgres"].every((name) => runs(join(folder, name)))) ??
    null
  );
}

function foldersIn(root: string): string[] {
  try {
    return readdirSync(root).toSorted().toReversed();
  } catch {
    return [];
  }
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface RunningPostgres {
  readonly port: number;
  /** Of the superuser. */
  readonly url: string;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Ends it as a crash does; resolves when it has ended. */
  crash(): Promise<void>;
  /** Starts it again, with the data that it had. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * PostgreSQL and PgBouncer do not run as root. In a user namespace root is somebody else, who may still do in
 * every folder what root may.
 */
function withoutRoot(program: string, words: readonly string[]): [string, readonly string[]] {
  if (process.getuid?.() !== 0) return [program, words];
  return ["unshare", ["--user", "--map-user=1000", program, ...words]];
}

const clusterOptions = ["-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];

/** Starts a PostgreSQL on a free port of the loopback, with a new and empty database. */
export async function startPostgres(programs: string): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-postgres-"));
  const data = join(folder, "data");
  const made = spawnSync(
    ...withoutRoot(join(programs, "initdb"), ["-D", data, "-U", "latchkey", ...clusterOptions]),
    { cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
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
  await untilReady(server);

  async function hasEnded(): Promise<void> {
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  }

  return {
    port,
    url: `postgres://latchkey@127.0.0.1:${port}/postgres`,
    signal: (name) => void server.kill(name),
    async crash() {
      // Everything ends immediately, and nothing is written any more.
      server.kill("SIGQUIT");
      await hasEnded();
    },
    async restart() {
      server = start();
      await untilReady(server);
    },
    async close() {
      server.kill("SIGCONT");
      // Ends also those who are connected.
      server.kill("SIGINT");
      await hasEnded();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It listens before it takes anybody in. */
async function untilReady({ stderr }: ChildProcess): Promise<void> {
  let said = "";
  for await (const chunk of stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk);
    if (said.includes("ready to accept connections")) break;
  }
  stderr?.resume();
}

async function untilListening(server: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (server.exitCode !== null) throw new Error("PostgreSQL has ended");
    if (await listens(port)) return;
    await setTimeout(50);
  }
  throw new Error("PostgreSQL does not listen");
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

/** Where `npm test` unpacks a PgBouncer on a machine that has none. */
export const unpackedPgBouncer = join(import.meta.dirname, "../../../.data/pgbouncer");

export function findPgBouncer(): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", unpackedPgBouncer];
  return folders.map((folder) => join(folder, "pgbouncer")).find(runs) ?? null;
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
      server.kill("SIGKILL");
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
