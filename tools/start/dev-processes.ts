/** The processes of one start: they begin one after the other and stop together. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import path from "node:path";

export interface DevProcess {
  /** How sentences call it, e.g. "The application". */
  readonly name: string;
  readonly file: string;
  /** The whole environment: nothing is added to it. */
  readonly env: NodeJS.ProcessEnv;
  /** Whether its standard output is hidden. Its standard error is always shown. */
  readonly quiet: boolean;
  /** Receives what the process reports when it is ready. */
  readonly onReady?: (message: object) => void;
  /** Options of Node, before the file. */
  readonly nodeOptions?: readonly string[];
}

export interface DevProcesses {
  /**
   * Resolves when the process reports over IPC that it is ready.
   *
   * @returns a function to stop this process alone: with `SIGTERM` by default, `SIGKILL` for the
   *   pulled plug
   * @throws Error with a sentence when it ends before, or is not ready within 30 seconds
   */
  start(process: DevProcess): Promise<StopProcess>;
  /**
   * Stops everything and resolves when the last process has exited. A second call may be harder.
   */
  stop(signal?: StopSignal): Promise<void>;
}

export type StopProcess = (signal?: StopSignal) => Promise<void>;
type StopSignal = "SIGTERM" | "SIGKILL";

const readyWithinMs = 30_000;
/** The application may drain for as long as an orchestrator allows. */
const stopWithinMs = 30_000;
const childOptions = [
  "--disable-warning=ExperimentalWarning",
  "--import",
  path.join(import.meta.dirname, "end-with-parent.mjs"),
];

/** Node options of the application, to save memory: see docs/guides/web-application.md. */
export const appOptions = ["--max-old-space-size=256", "--max-semi-space-size=4", "--no-maglev"];

/** The application, as built. */
export function appProcess(root: string, env: NodeJS.ProcessEnv): DevProcess {
  const file = path.join(root, "apps/web/dist/server/main.js");
  return { name: "The application", file, env, quiet: false, nodeOptions: appOptions };
}

/**
 * The local provider, as built.
 *
 * @param variables - are added: what an app sets for its customers (`LATCHKEY_PROVIDER_AS`)
 */
export function providerProcess(
  root: string,
  env: NodeJS.ProcessEnv,
  variables: Record<string, string> = {},
): DevProcess {
  const file = path.join(root, "packages/provider/dist/main.js");
  const onReady = (message: object) =>
    void Object.assign(variables, "variables" in message ? message.variables : {});
  return { name: "The local provider", file, env, quiet: true, onReady };
}

/**
 * @param onUnexpectedExit - called with a sentence when a process exits by itself after it was
 *   ready
 */
export function createDevProcesses(
  root: string,
  onUnexpectedExit: (sentence: string) => void,
): DevProcesses {
  const children = new Set<ChildProcess>();
  const stopping = new WeakSet<ChildProcess>();

  async function start({ name, file, env, quiet, onReady, nodeOptions = [] }: DevProcess) {
    const child = fork(file, {
      cwd: root,
      env,
      execArgv: [...childOptions, ...nodeOptions],
      stdio: ["ignore", quiet ? "ignore" : "inherit", "inherit", "ipc"],
    });
    children.add(child);
    child.once("exit", () => children.delete(child));
    const message = await untilReady(child, name);
    onReady?.(message);
    child.once("exit", (code, signal) => {
      if (stopping.has(child)) return;
      onUnexpectedExit(`${name} ended by itself (${signal ?? `code ${code}`}).`);
    });
    return (signal?: StopSignal) => stopOne(child, signal);
  }

  function stopOne(child: ChildProcess, signal?: StopSignal): Promise<void> {
    stopping.add(child);
    return untilExited(child, signal);
  }

  async function stop(signal?: StopSignal): Promise<void> {
    await Promise.all([...children].map((child) => stopOne(child, signal)));
  }

  return { start, stop };
}

function untilReady(child: ChildProcess, name: string): Promise<object> {
  return new Promise((resolve, reject) => {
    const tooLate = setTimeout(
      () => reject(new Error(`${name} did not get ready within ${readyWithinMs / 1000} seconds.`)),
      readyWithinMs,
    );
    child.on("message", (message) => {
      if (typeof message !== "object" || message === null || !("ready" in message)) return;
      clearTimeout(tooLate);
      resolve(message);
    });
    child.once("error", reject);
    child.once("exit", () => {
      clearTimeout(tooLate);
      reject(new Error(`${name} could not start.`));
    });
  });
}

function untilExited(child: ChildProcess, signal: StopSignal = "SIGTERM"): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const tooLate = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
    child.once("exit", () => {
      clearTimeout(tooLate);
      resolve();
    });
    child.kill(signal);
  });
}
