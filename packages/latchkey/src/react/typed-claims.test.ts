import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test.each([
  ["in React are known to the provider, the hooks and the components", "typed-claims"],
  ["on the server are known to the hooks", "typed-claims/server"],
])("claims declared once %s", async (_, folder) => {
  const compiler = fileURLToPath(
    new URL("bin/tsc", import.meta.resolve("typescript/package.json")),
  );
  const project = fileURLToPath(new URL(folder, import.meta.url));
  const run = promisify(execFile)(process.execPath, [compiler, "-p", project]);
  const output = await run.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  expect(output).toBe("");
});
