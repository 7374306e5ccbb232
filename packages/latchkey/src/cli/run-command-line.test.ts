import { expect, test } from "vitest";

import { version } from "../telemetry/version.ts";
import { runLatchkey } from "../../test/cli/run-latchkey.ts";

const run = (...args: string[]) => runLatchkey(args, { cwd: import.meta.dirname });

test.each(["--version", "-v"])("%s prints the version of the package", async (flag) => {
  expect(await run(flag)).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
});

test.each([[], ["help"], ["--help"], ["-h"]])("%j prints every command", async (...args) => {
  const { exitCode, stdout } = await run(...args);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("latchkey provider")]);
});

test("an unknown command exits with 2 and prints the known ones", async () => {
  const { exitCode, stderr } = await run("sign-in");
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/no command sign-in[^]*provider/)]);
});

test("help and a command prints the help of that command", async () => {
  expect(await run("help", "init")).toEqual(await run("init", "--help"));
  expect((await run("help", "init")).stdout).toContain("--dry-run");
});

test.each([
  ["docter", " Did you mean doctor?"],
  ["Init", " Did you mean init?"],
  ["sign-in", ""],
  ["constructor", ""],
])("the unknown command %s is answered with the nearest one", async (name, meant) => {
  const { exitCode, stderr } = await run(name);
  expect([exitCode, stderr.split("\n", 1)]).toEqual([2, [`There is no command ${name}.${meant}`]]);
});

test("an unknown option exits with 2", async () => {
  expect(await run("provider", "--fast")).toMatchObject({
    exitCode: 2,
    stderr: "Unknown option '--fast'.\nlatchkey provider --help has the options.\n",
  });
});
