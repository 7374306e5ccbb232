import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** The built application in a process of its own. */
export interface AppProcess {
  /** What it has written so far. */
  output(): string;
  isAlive(): boolean;
  stop(): Promise<void>;
}

const startMs = 100_000;
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) kill(child);
});

/**
 * Runs `npm start` of a host, or another of its scripts, until its port answers.
 *
 * @throws {Error} with its output, if it ends or does not answer in time
 */
export async function startApp(
  folder: string,
  port: number,
  environment: Readonly<Record<string, string>>,
  script = "start",
): Promise<AppProcess> {
  const bin = path.join(import.meta.dirname, "../../node_modules/.bin");
  const child = spawn("node", ["--run", script], {
    cwd: folder,
    // Whatever it starts in its turn ends with it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      HOME: process.env["HOME"],
      PATH: `${bin}${path.delimiter}${process.env["PATH"]}`,
      NODE_ENV: "production",
      HOST: "localhost",
      PORT: `${port}`,
      ...environment,
    },
  });
  running.add(child);
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (written += text));
  }
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const app = { output: () => written, isAlive, stop: () => stop(child) };
  await untilAnswering(app, `http://localhost:${port}/cacheable`);
  return app;
}

async function untilAnswering(app: AppProcess, address: string): Promise<void> {
  const endsAt = performance.now() + startMs;
  while (app.isAlive() && performance.now() < endsAt) {
    try {
      await (await fetch(address)).arrayBuffer();
      return;
    } catch {
      await pause(50);
    }
  }
  await app.stop();
  throw new Error(`The application does not answer:\n${app.output()}`);
}

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  kill(child);
  await ended;
}

function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
