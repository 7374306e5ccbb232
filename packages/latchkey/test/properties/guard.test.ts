import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createAuth } from "../../src/auth.ts";
import { goodSettings } from "../settings.ts";
import { patience, runs } from "./runs.ts";

const auth = createAuth({ ...goodSettings, publicPaths: ["/about", "/assets/"] });

const segment = fc.constantFrom(
  ..."api auth login callback logout me orders _next static _auth assets about favicon.ico private x".split(
    " ",
  ),
  "..",
  ".",
  "",
  "_nextfoo",
  "apix",
  "About",
);
const plainPath = fc
  .array(segment, { minLength: 1, maxLength: 6 })
  .map((segments) => `/${segments.join("/")}`);

/** What a server makes of a path that decodes until nothing is left to decode, and then resolves it. */
function normalised(path: string): string {
  let current = path;
  for (let next = decode(current); next !== current; next = decode(current)) current = next;
  const { pathname } = new URL(`http://x${current.replaceAll("\\", "/").replace(/\/+/g, "/")}`);
  return pathname.replace(/\/+/g, "/");
}

function decode(path: string): string {
  return path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}

/** The rule of the guard, said a second time. */
function isPublic(path: string): boolean {
  return (
    /^\/(?:api\/auth|_auth|_next)(?:\/|$)/.test(path) ||
    path.startsWith("/assets/") ||
    ["/favicon.ico", "/about"].includes(path)
  );
}

/** Encodes some letters, once or several times over. */
const encoding = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 4 })), { maxLength: 6 });

function encoded(path: string, where: readonly (readonly [number, number])[]): string {
  const letters = [...path];
  for (const [at, rounds] of where) {
    const index = 1 + (at % Math.max(1, letters.length - 1));
    const letter = letters[index];
    if (letter === undefined || letter.length > 1) continue;
    const hex = letter.charCodeAt(0).toString(16);
    letters[index] = `%${"25".repeat(rounds - 1)}${hex}`;
  }
  return letters.join("");
}

async function outcomeOf(path: string, method: string): Promise<"passed" | 401 | "login"> {
  const guarded = await auth.guard(new Request(goodSettings.baseURL + path, { method }));
  if (guarded.passed) return "passed";
  return guarded.response.status === 401 ? 401 : "login";
}

const method = fc.constantFrom("GET", "HEAD", "POST", "OPTIONS", "DELETE");
const query = fc.constantFrom("", "?x=1", "?returnTo=/about", "?/_next/x", "?/api/auth/login");

test(
  "what passes without a session is public however it is read: no encoding opens a path [REL-P05]",
  { timeout: patience },
  async () => {
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(plainPath, encoding, query, method, async (path, where, search, verb) => {
        const asked = encoded(path, where);
        const outcome = await outcomeOf(asked + search, verb);
        if (outcome !== "passed") return true;
        passed += 1;
        return isPublic(normalised(new URL(goodSettings.baseURL + asked).pathname));
      }),
      runs,
    );
    expect(passed).toBeGreaterThan(500);
  },
);

test(
  "a path that is written plainly is decided by what it says, whatever method and query [REL-P05]",
  { timeout: patience },
  async () => {
    const plain = fc
      .array(
        segment.filter((each) => !/^\.{0,2}$/.test(each)),
        { minLength: 1, maxLength: 5 },
      )
      .map((segments) => `/${segments.join("/")}`);
    const counts = { passed: 0, 401: 0, login: 0 };
    await fc.assert(
      fc.asyncProperty(plain, query, method, async (path, search, verb) => {
        const expected = isPublic(path) ? "passed" : /^\/api(?:\/|$)/.test(path) ? 401 : "login";
        counts[expected] += 1;
        return (await outcomeOf(path + search, verb)) === expected;
      }),
      runs,
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(300);
  },
);
