import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

import { createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { hostFolder, worldOfTest } from "../suite/world.ts";

describe("a worker", () => {
  test("two sign-ins at a cold start do not wait for each other [AD-045]", async () => {
    const { baseURL } = await worldOfTest();
    const people = ["person-ada", "person-ben"].map((person) =>
      createBrowser(baseURL).signIn("/private", person),
    );
    const pages = await Promise.all(people);
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("with sign-in and next to nothing else is at most 118.5 kB, compressed (decisions 0150 and 0161) [AD-036]", () => {
    const code = readFileSync(path.join(hostFolder, "dist/smallest.js"));
    expect(gzipSync(code).byteLength).toBeLessThanOrEqual(118_500);
    expect(code.toString()).not.toContain("The last 20 sign-ins");
  });
});
