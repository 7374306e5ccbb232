import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createDevProcesses } from "./dev-processes.ts";

const folder = mkdtempSync(path.join(tmpdir(), "latchkey-processes-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A child of one line, until it is stopped. */
function processOf(name: string, line: string) {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(file, `${line}\nsetInterval(() => {}, 1000);\n`);
  return { name, file, env: { PATH: process.env["PATH"] }, quiet: true };
}

function open() {
  const exits: string[] = [];
  const processes = createDevProcesses(folder, (sentence) => exits.push(sentence));
  onTestFinished(() => processes.stop());
  return { processes, exits };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const ready = "process.send({ ready: true });";

describe("the processes of one start", () => {
  it("stop together, which is not reported as an unexpected exit", async () => {
    const { processes, exits } = open();
    await processes.start(processOf("one", ready));
    const stopTwo = await processes.start(processOf("two", ready));
    await stopTwo("SIGKILL");
    await processes.stop();
    expect(exits).toEqual([]);
  });

  it("report what they are ready with", async () => {
    const { processes } = open();
    const messages: object[] = [];
    const line = "process.send({ ready: true, variables: { A: '1' } });";
    const onReady = (message: object) => void messages.push(message);
    await processes.start({ ...processOf("telling", line), onReady });
    expect(messages).toEqual([{ ready: true, variables: { A: "1" } }]);
  });

  it("report the exit of a process after it was ready", async () => {
    const { processes, exits } = open();
    await processes.start(processOf("Frail", `${ready} setTimeout(() => process.exit(3), 20);`));
    await expect.poll(() => exits).toEqual(["Frail ended by itself (code 3)."]);
  });

  it("name the process that could not start", async () => {
    const { processes } = open();
    const broken = processes.start(processOf("Broken", "process.exit(1);"));
    await expect(broken).rejects.toThrow("Broken could not start.");
  });

  it("get no environment but the given one", async () => {
    const { processes } = open();
    const check = 'if (Object.keys(process.env).some((name) => name.startsWith("VITEST")))';
    const start = processes.start(processOf("plain", `${check} process.exit(1);\n${ready}`));
    await expect(start).resolves.toBeTypeOf("function");
  });

  it("exit when their parent process is killed", async () => {
    const { file } = processOf("orphan", `console.log(process.pid);\n${ready}`);
    const parent = path.join(folder, "parent.mjs");
    writeFileSync(
      parent,
      `import { createDevProcesses } from ${JSON.stringify(path.join(import.meta.dirname, "dev-processes.ts"))};
       const processes = createDevProcesses(${JSON.stringify(folder)}, () => {});
       const file = ${JSON.stringify(file)};
       await processes.start({ name: "Orphan", file, env: process.env, quiet: false });
       process.send({ ready: true });`,
    );
    const supervisor = fork(parent, { stdio: ["ignore", "pipe", "inherit", "ipc"], execArgv: [] });
    const [[line]] = await Promise.all([
      once(supervisor.stdout ?? process.stdin, "data"),
      once(supervisor, "message"),
    ]);
    const orphan = Number(String(line));
    expect(isAlive(orphan)).toBe(true);
    supervisor.kill("SIGKILL");
    await expect.poll(() => isAlive(orphan)).toBe(false);
  });
});
