import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import path from "node:path";

export interface ServerProgram {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A server in a process of its own, on one core if the system has `taskset`. */
export interface ServerProcess {
  readonly name: string;
  /** CPU time and memory of the whole process until now, as the operating system accounts them. */
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

export interface Usage {
  /** User and system time of all threads, in microseconds. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

const serverCore = "0";
const loadCore = "1";
const readyWithinMs = 20_000;
const probe = path.join(import.meta.dirname, "answer-probe.mjs");
const hasTaskset = spawnSync("taskset", ["-V"], { stdio: "ignore" }).status === 0;
const running = new Set<ChildProcess>();

process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Keeps this process, the load, off the servers' core. */
export function moveToLoadCore(): void {
  if (hasTaskset) spawnSync("taskset", ["-pc", loadCore, `${process.pid}`], { stdio: "ignore" });
}

/**
 * Starts a server and resolves when it is ready, by IPC.
 *
 * @param nodeArguments - for the profiler
 * @throws {Error} when it ends before, or is not ready within 20 seconds
 */
export async function startServer(
  program: ServerProgram,
  nodeArguments: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawnOnCore(program, nodeArguments);
  running.add(child);
  child.once("exit", () => running.delete(child));
  await readiness(child, program.name);
  return {
    name: program.name,
    async usage() {
      const answer = nextUsage(child);
      child.send("usage");
      return answer;
    },
    stop: () => stop(child),
  };
}

function spawnOnCore({ file, env }: ServerProgram, nodeArguments: readonly string[]): ChildProcess {
  const pinned = hasTaskset ? ["-c", serverCore, process.execPath] : [];
  const flags = [...nodeArguments, "--disable-warning=ExperimentalWarning", "--import", probe];
  const program = hasTaskset ? "taskset" : process.execPath;
  return spawn(program, [...pinned, ...flags, file], {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

function readiness(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let complaint = "";
    child.stderr?.on("data", (chunk) => (complaint = `${complaint}${chunk}`.slice(0, 2000)));
    const tooLate = setTimeout(() => fail("is not ready in time"), readyWithinMs);
    function fail(what: string) {
      clearTimeout(tooLate);
      child.kill("SIGKILL");
      reject(new Error(`${name} ${what}. ${complaint.trim()}`.trim()));
    }
    child.once("error", () => fail("could not be started"));
    child.once("close", () => fail("ended before it was ready"));
    child.on("message", (message) => {
      if (!has(message, "ready")) return;
      clearTimeout(tooLate);
      resolve();
    });
  });
}

function nextUsage(child: ChildProcess): Promise<Usage> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new Error("The server ended while it was measured"));
    child.once("exit", end);
    const listen = (message: unknown) => {
      if (!has(message, "usage")) return;
      child.off("message", listen);
      child.off("exit", end);
      resolve(message["usage"] as Usage);
    };
    child.on("message", listen);
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), 2000).unref();
  });
}

function has<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === "object" && value !== null && name in value;
}
