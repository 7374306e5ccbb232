import { expect, test } from "vitest";

import { version } from "../config/constants.ts";
import { runCommandLine } from "./run-command-line.ts";

async function run(...args: string[]) {
  const [printed, warned]: [string[], string[]] = [[], []];
  const exitCode = await runCommandLine(args, {
    cwd: import.meta.dirname,
    environment: {},
    print: (text) => void printed.push(text),
    warn: (text) => void warned.push(text),
  });
  return { exitCode, printed: printed.join("\n"), warned: warned.join("\n") };
}

test("--version prints the version of the package", async () => {
  expect(await run("--version")).toEqual({ exitCode: 0, printed: version, warned: "" });
});

test.each([[], ["--help"], ["-h"]])("%j prints every command", async (...args) => {
  const { exitCode, printed } = await run(...args);
  expect([exitCode, printed]).toEqual([0, expect.stringContaining("latchkey provider")]);
});

test("an unknown command exits with 2 and prints the known ones", async () => {
  const { exitCode, warned } = await run("sign-in");
  expect([exitCode, warned]).toEqual([2, expect.stringMatching(/no command sign-in[^]*provider/)]);
});

test("an unknown option exits with 2", async () => {
  expect(await run("provider", "--fast")).toMatchObject({
    exitCode: 2,
    warned: expect.stringContaining("--fast"),
  });
});
