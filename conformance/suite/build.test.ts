import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import { host, hostFolder } from "./world.ts";

/** The published packages, and their dependencies. */
const ours = ["latchkey", "@latchkey/pages", "cookie", "valibot"];

/** Words of the engine without a use in browsers. */
const serverWords = ["LATCHKEY_SECRET", "code_verifier", "auth_verification", "A256GCM"];

describe(`the installation and the build on ${host.title}`, () => {
  test("sign-in brings its own dependencies and no framework [AD-034]", () => {
    const before = packagesOf("package-lock.json");
    const installed = packagesOf("node_modules/.package-lock.json");
    const added = [...installed].filter((name) => !before.has(name));
    expect(added.filter((name) => !ours.includes(name))).toEqual([]);
    expect(added).toContain("latchkey");
  });

  test("what browsers load holds no server code and no secret [AD-035]", () => {
    const { clientFolder } = host;
    const files = clientFolder === undefined ? [] : filesBelow(path.join(hostFolder, clientFolder));
    expect(files.length > 0).toBe(clientFolder !== undefined);
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      const found = serverWords.filter((word) => text.includes(word));
      expect([file, found]).toEqual([file, []]);
    }
  });
});

function packagesOf(lockFile: string): ReadonlySet<string> {
  const lock: unknown = JSON.parse(readFileSync(path.join(hostFolder, lockFile), "utf8"));
  const places = Object.keys((lock as { readonly packages: object }).packages);
  return new Set(places.map((place) => place.split("node_modules/").at(-1) ?? ""));
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
