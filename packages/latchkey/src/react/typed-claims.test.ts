import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("claims declared once are known to the provider, the hooks and the components", async () => {
  const compiler = fileURLToPath(
    new URL("bin/tsc", import.meta.resolve("typescript/package.json")),
  );
  const project = fileURLToPath(new URL("typed-claims", import.meta.url));
  const run = promisify(execFile)(process.execPath, [compiler, "-p", project]);
  const output = await run.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  expect(output).toBe("");
});
