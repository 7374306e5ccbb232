import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { openHousehold } from "./household.ts";

const folder = mkdtempSync(path.join(tmpdir(), "latchkey-household-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A child of one line that stays until it is ended, and says who it is when it is ready. */
function member(name: string, line: string) {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(file, `${line}\nsetInterval(() => {}, 1000);\n`);
  return { name, file, env: { PATH: process.env["PATH"] }, quiet: true };
}

function household() {
  const deaths: string[] = [];
  const house = openHousehold(folder, (sentence) => deaths.push(sentence));
  onTestFinished(() => house.end());
  return { house, deaths };
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
  it("end together, and their wanted end is no death", async () => {
    const { house, deaths } = household();
    await house.start(member("one", ready));
    const endTwo = await house.start(member("two", ready));
    await endTwo("SIGKILL");
    await house.end();
    expect(deaths).toEqual([]);
  });

  it("report the death of one that was ready", async () => {
    const { house, deaths } = household();
    await house.start(member("Frail", `${ready} setTimeout(() => process.exit(3), 20);`));
    await expect.poll(() => deaths).toEqual(["Frail ended by itself (code 3)."]);
  });

  it("say which one could not start", async () => {
    const { house } = household();
    const broken = house.start(member("Broken", "process.exit(1);"));
    await expect(broken).rejects.toThrow("Broken could not start.");
  });

  it("get nothing but the environment they were given", async () => {
    const { house } = household();
    const check = 'if (Object.keys(process.env).some((name) => name.startsWith("VITEST")))';
    const start = house.start(member("plain", `${check} process.exit(1);\n${ready}`));
    await expect(start).resolves.toBeTypeOf("function");
  });

  it("end when the process that started them is killed", async () => {
    const { file } = member("orphan", `console.log(process.pid);\n${ready}`);
    const parent = path.join(folder, "parent.mjs");
    writeFileSync(
      parent,
      `import { openHousehold } from ${JSON.stringify(path.join(import.meta.dirname, "household.ts"))};
       const house = openHousehold(${JSON.stringify(folder)}, () => {});
       const file = ${JSON.stringify(file)};
       await house.start({ name: "Orphan", file, env: process.env, quiet: false });
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
    await expect.poll(() => isAlive(orphan), { timeout: 3000 }).toBe(false);
  });
});
