import { expect, test } from "vitest";

import { version } from "../config/constants.ts";
import { runLatchkey } from "../../test/cli/run-latchkey.ts";

const run = (...args: string[]) => runLatchkey(args, { cwd: import.meta.dirname });

test("--version prints the version of the package", async () => {
  expect(await run("--version")).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
});

test.each([[], ["--help"], ["-h"]])("%j prints every command", async (...args) => {
  const { exitCode, stdout } = await run(...args);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("latchkey provider")]);
});

test("an unknown command exits with 2 and prints the known ones", async () => {
  const { exitCode, stderr } = await run("sign-in");
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/no command sign-in[^]*provider/)]);
});

test("an unknown option exits with 2", async () => {
  expect(await run("provider", "--fast")).toMatchObject({
    exitCode: 2,
    stderr: "Unknown option '--fast'.\nlatchkey provider --help has the options.\n",
  });
});
