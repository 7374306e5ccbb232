import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProvider } from "./index.ts";

let dataFolder: string;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), "provider-"));
});

afterAll(() => rm(dataFolder, { recursive: true }));

function run(environment: Record<string, string>): { child: ChildProcess; output: () => string } {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = fork(new URL("./main.ts", import.meta.url), {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: ["--conditions=@latchkey/source"],
    env: { PATH, NODE_COMPILE_CACHE, LATCHKEY_PROVIDER_DATA: dataFolder, ...environment },
  });
  const parts: string[] = [];
  child.stdout?.on("data", (chunk) => parts.push(String(chunk)));
  child.stderr?.on("data", (chunk) => parts.push(String(chunk)));
  return { child, output: () => parts.join("") };
}

async function exitCode(child: ChildProcess): Promise<unknown> {
  const [code] = await once(child, "exit");
  return code;
}

describe("the command", () => {
  it("prints one line when it is ready, with a warning, and stops at a signal", async () => {
    const { child, output } = run({ LATCHKEY_PROVIDER_PORT: "0" });
    expect((await once(child, "message"))[0]).toEqual({
      ready: true,
      variables: {},
    });
    child.kill("SIGTERM");
    expect(await exitCode(child)).toBe(0);
    expect(output()).toMatch(
      /^Local OpenID provider \(not for production\) on http:\/\/localhost:\d+\n$/u,
    );
  });

  it("plays the customers of LATCHKEY_PROVIDER_AS, and reports what the app sets", async () => {
    const { child } = run({ LATCHKEY_PROVIDER_PORT: "0", LATCHKEY_PROVIDER_AS: "acme, globex" });
    const [message] = await once(child, "message");
    child.kill("SIGTERM");
    await exitCode(child);
    expect(message).toMatchObject({
      ready: true,
      variables: {
        LATCHKEY_CONNECTIONS: "acme globex",
        LATCHKEY_CONNECTION_GLOBEX_LABEL: "Globex",
      },
    });
  });

  it("stops when its parent process disconnects", async () => {
    const { child } = run({ LATCHKEY_PROVIDER_PORT: "0" });
    await once(child, "message");
    child.disconnect();
    expect(await exitCode(child)).toBe(0);
  });

  it("exits with 0 when two signals and the end of its parent arrive together", async () => {
    const { child, output } = run({ LATCHKEY_PROVIDER_PORT: "0" });
    await once(child, "message");
    child.kill("SIGINT");
    child.kill("SIGTERM");
    child.disconnect();
    expect(await exitCode(child)).toBe(0);
    expect(output().split("\n")).toHaveLength(2);
  });

  it("prints one sentence with the variable to change when the port is taken", async () => {
    const other = await startProvider();
    const { port } = new URL(other.url);
    const { child, output } = run({ LATCHKEY_PROVIDER_PORT: port });
    expect(await exitCode(child)).toBe(1);
    expect(output()).toMatch(
      new RegExp(`^Port ${port} is taken\\. [^\n]* LATCHKEY_PROVIDER_PORT\\.\\n$`, "u"),
    );
    await other.close();
  });
});
