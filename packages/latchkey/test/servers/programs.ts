import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";

/** Returns the folder into which `npm test` unpacks a server if the machine has none. */
export function unpacked(server: string): string {
  return join(import.meta.dirname, "../../../../.data", server);
}

/**
 * Returns the folder with all of these programs, from the search path or the given ones, or `null`.
 */
export function folderOf(programs: readonly string[], others: readonly string[]): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...others];
  return (
    folders.find((folder) => programs.every((name) => isExecutable(join(folder, name)))) ?? null
  );
}

/** The path of a program, by the same rule. */
export function findProgram(name: string, others: readonly string[]): string | null {
  const folder = folderOf([name], others);
  return folder === null ? null : join(folder, name);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function untilListening(program: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (program.exitCode !== null) throw new Error(`${program.spawnfile} has ended`);
    if (await listens(port)) return;
    await setTimeout(50);
  }
  throw new Error(`${program.spawnfile} does not listen`);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

/** Waits for matching output of a program, then discards the rest. */
export async function untilSaid(output: Readable | null, expected: RegExp): Promise<void> {
  let said = "";
  for await (const chunk of output?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk);
    if (expected.test(said)) break;
  }
  output?.resume();
}

/** Ends a program by a signal, and waits for its end. */
export async function stop(program: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  program.kill(signal);
  if (program.exitCode === null && program.signalCode === null) await once(program, "exit");
}
