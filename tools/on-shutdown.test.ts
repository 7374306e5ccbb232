import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(path.join(tmpdir(), "latchkey-shutdown-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A process that never ends, unless a further signal hurries it, with a clock moved by hand. */
async function slowToEnd(): Promise<ChildProcess> {
  const file = path.join(folder, "slow.mjs");
  const script = path.join(import.meta.dirname, "on-shutdown.mjs");
  writeFileSync(
    file,
    `import { onShutdown } from ${JSON.stringify(script)};
     onShutdown(() => process.send("first"), () => process.exit(7));
     let now = 0;
     performance.now = () => now;
     process.on("message", (ms) => process.send(\`now \${(now += ms)}\`));
     process.on("SIGTERM", () => process.send("second"));
     setInterval(() => {}, 1000);
     process.send("started");`,
  );
  const child = fork(file, { execArgv: [] });
  await once(child, "message");
  return child;
}

it("onShutdown() calls back once for simultaneous signals, and hurries at a later one", async () => {
  const child = await slowToEnd();
  const told: unknown[] = [];
  child.on("message", (message) => told.push(message));
  child.kill("SIGINT");
  await expect.poll(() => told).toEqual(["first"]);
  child.kill("SIGTERM");
  await expect.poll(() => told).toEqual(["first", "second"]);
  child.send(300);
  await expect.poll(() => told.at(-1)).toBe("now 300");
  expect(child.exitCode).toBeNull();
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([7, null]);
});
