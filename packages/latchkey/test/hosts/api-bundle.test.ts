import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const bundle = fileURLToPath(new URL("../../dist/bundle", import.meta.url));

/** The code that an app loads with an entry point: the file, and all it imports of ours. */
function loadedWith(entryPoint: string): string {
  const files = new Set([path.join(bundle, entryPoint)]);
  // A set also iterates over what is added to it meanwhile.
  for (const file of files) {
    const code = readFileSync(file, "utf8");
    for (const [, name = ""] of code.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)) {
      files.add(path.join(path.dirname(file), name));
    }
  }
  return [...files].map((file) => readFileSync(file, "utf8")).join("\n");
}

test.each(["index.js", "adapters/express.js", "adapters/next/index.js"])(
  "an app with %s alone does not carry the code of latchkey/api [AP-013]",
  (entryPoint) => {
    const code = loadedWith(entryPoint);
    expect(code).toContain("not_authenticated");
    expect(code).not.toMatch(
      /invalid_dpop_proof|insufficient_scope|token_introspection|readCredentials/,
    );
  },
);

test("latchkey/api carries it [AP-013]", () => {
  expect(loadedWith("api/index.js")).toMatch(/invalid_dpop_proof/);
});
