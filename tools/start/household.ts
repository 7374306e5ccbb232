/** The processes of one start: they begin one after the other and end together. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import path from "node:path";

export interface Member {
  /** How sentences call it, e.g. "The application". */
  readonly name: string;
  readonly file: string;
  /** The whole environment: nothing is added to it. */
  readonly env: NodeJS.ProcessEnv;
  /** Whether what it prints is shown. What it complains about always is. */
  readonly quiet: boolean;
  /** For Node, before the file. */
  readonly arguments?: readonly string[];
}

export interface Household {
  /**
   * Resolves when the member says over IPC that it is ready.
   *
   * @returns how to end this member alone: kindly by default, `SIGKILL` for the pulled plug
   * @throws Error with a sentence when it ends before, or says nothing for 30 seconds
   */
  start(member: Member): Promise<EndMember>;
  /** Ends everything and resolves when the last process is gone. */
  end(): Promise<void>;
}

export type EndMember = (signal?: EndSignal) => Promise<void>;
type EndSignal = "SIGTERM" | "SIGKILL";

const readyWithinMs = 30_000;
const endWithinMs = 5_000;
const childArguments = [
  "--disable-warning=ExperimentalWarning",
  "--import",
  path.join(import.meta.dirname, "end-with-parent.mjs"),
];

/**
 * Pages leave much behind outside of the collector's heap. It is given back sooner where new objects have less room: half
 * the memory, at the same speed.
 */
const appArguments = ["--max-semi-space-size=8"];

/** The application, as built. */
export function appMember(root: string, env: NodeJS.ProcessEnv): Member {
  const file = path.join(root, "apps/web/dist/server/main.js");
  return { name: "The application", file, env, quiet: false, arguments: appArguments };
}

/** The local provider, as built. */
export function providerMember(root: string, env: NodeJS.ProcessEnv): Member {
  const file = path.join(root, "packages/provider/dist/main.js");
  return { name: "The local provider", file, env, quiet: true };
}

/**
 * @param onDeath - told in a sentence when a member that was ready ends by itself
 */
export function openHousehold(root: string, onDeath: (sentence: string) => void): Household {
  const children = new Set<ChildProcess>();
  const leaving = new WeakSet<ChildProcess>();

  async function start(member: Member): Promise<EndMember> {
    const child = fork(member.file, {
      cwd: root,
      env: member.env,
      execArgv: [...childArguments, ...(member.arguments ?? [])],
      stdio: ["ignore", member.quiet ? "ignore" : "inherit", "inherit", "ipc"],
    });
    children.add(child);
    child.once("exit", () => children.delete(child));
    await readiness(child, member.name);
    child.once("exit", (code, signal) => {
      if (leaving.has(child)) return;
      onDeath(`${member.name} ended by itself (${signal ?? `code ${code}`}).`);
    });
    return (signal) => endChild(child, signal);
  }

  function endChild(child: ChildProcess, signal?: EndSignal): Promise<void> {
    leaving.add(child);
    return gone(child, signal);
  }

  async function end(): Promise<void> {
    await Promise.all([...children].map((child) => endChild(child)));
  }

  return { start, end };
}

function readiness(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooLate = setTimeout(
      () => reject(new Error(`${name} did not get ready within ${readyWithinMs / 1000} seconds.`)),
      readyWithinMs,
    );
    child.on("message", (message) => {
      if (typeof message !== "object" || message === null || !("ready" in message)) return;
      clearTimeout(tooLate);
      resolve();
    });
    child.once("error", reject);
    child.once("exit", () => {
      clearTimeout(tooLate);
      reject(new Error(`${name} could not start.`));
    });
  });
}

function gone(child: ChildProcess, signal: EndSignal = "SIGTERM"): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const impatience = setTimeout(() => child.kill("SIGKILL"), endWithinMs);
    child.once("exit", () => {
      clearTimeout(impatience);
      resolve();
    });
    child.kill(signal);
  });
}
