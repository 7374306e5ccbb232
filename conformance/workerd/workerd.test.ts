import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
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

  test("logins at the same time share the check of the provider, and none waits for its deadline [AD-045]", async () => {
    const { baseURL } = await worldOfTest();
    const login = async () => {
      const start = performance.now();
      const { status } = await fetch(`${baseURL}/api/auth/login`, { redirect: "manual" });
      return { status, isQuick: performance.now() - start < 1000 };
    };
    await login();
    // A response proves for a quarter of a second that the provider can be reached.
    await pause(300);
    const logins = await Promise.all(Array.from({ length: 5 }, login));
    expect(logins).toEqual(logins.map(() => ({ status: 302, isQuick: true })));
  });

  test("with sign-in and next to nothing else is at most 118.5 kB, compressed (decisions 0150 and 0161) [AD-036]", () => {
    const code = readFileSync(path.join(hostFolder, "dist/smallest.js"));
    expect(gzipSync(code).byteLength).toBeLessThanOrEqual(118_500);
    expect(code.toString()).not.toContain("The last 20 sign-ins");
  });
});
