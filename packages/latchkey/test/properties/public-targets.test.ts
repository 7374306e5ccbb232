import * as fc from "fast-check";
import { expect, test } from "vitest";

import { requireSignIn } from "../../src/request/guard/require-sign-in.ts";
import { isPublic } from "../../src/request/guard/guarded-paths.ts";
import { parseTarget } from "../../src/http/request-target.ts";
import { readingsOf } from "../sessions/reference-reader.ts";
import { seededRandom } from "../seeded-random.ts";
import { configOf, goodSettings } from "../settings.ts";
import { patience, runs } from "./runs.ts";

const config = configOf({ publicPaths: ["/about", "/assets/", "/"] });

function needsNoSession(target: string): boolean {
  const parsed = parseTarget(target);
  return parsed !== null && isPublic(config, parsed);
}

const segments =
  "api auth login me orders _next static _auth assets about favicon.ico private .. . x".split(" ");
const slashes = ["/", "/", "/", "/", "//", "\\", "%2f", "%5c", "%252f", "/./", "/;x/", "%2F"];
const dressings: ((text: string) => string)[] = [
  ...Array.from({ length: 6 }, () => (text: string) => text),
  (text) => text.replaceAll(".", "%2e"),
  (text) => text.replace(".", "%252e"),
  (text) => text.replace(/\w/, (found) => `%${found.charCodeAt(0).toString(16)}`),
  (text) => text.replace(/\w/, (found) => `%25${found.charCodeAt(0).toString(16)}`),
  (text) => `${text};x=1`,
  (text) => `${text}%00`,
  (text) => `${text}%23`,
  (text) => `${text}%3fx`,
  (text) => `${text}%`,
  (text) => `${text}%20`,
  (text) => text.replace(".", ".%09"),
];
const starts = ["", "", "", "", "/_next", "/api/auth", "/assets", "/", "\\", "http://app.example"];
const ends = ["", "", "", "/", "?x=1", "?/../private", "/..", "%2f..", ";x", "%"];

/** The rule of the guard, written a second time. */
function isPublicPath(path: string): boolean {
  return (
    /^\/(?:api\/auth|_auth|_next)(?:\/.*)?$/s.test(path) ||
    path.startsWith("/assets/") ||
    ["/favicon.ico", "/about", "/"].includes(path)
  );
}

function elementAt<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`${index} of ${list.length}`);
  return found;
}

test(
  "the guard lets a target pass without a session only if it is public in every reading of a server [REL-P05]",
  { timeout: patience },
  () => {
    const random = seededRandom(20_261_122);
    const pick = <T>(list: readonly T[]) => elementAt(list, random(list.length));
    const wrong: string[] = [];
    let passed = 0;
    for (let count = 0; count < 12 * runs.numRuns; count += 1) {
      const parts = Array.from(
        { length: 1 + random(5) },
        () => pick(slashes) + pick(dressings)(pick(segments)),
      );
      const target = pick(starts) + parts.join("") + pick(ends);
      if (!needsNoSession(target)) continue;
      passed += 1;
      const [path = ""] = target.split("?");
      if (![...readingsOf(path)].every(isPublicPath)) wrong.push(target);
    }
    expect(wrong).toEqual([]);
    expect(passed).toBeGreaterThan(runs.numRuns / 2);
  },
);

type Outcome = "passed" | "401" | "login";

function outcomeOf(target: string, method: string): Outcome {
  const parsed = parseTarget(target);
  if (parsed === null) throw new Error(`${target} is no target`);
  if (isPublic(config, parsed)) return "passed";
  const request = { method, url: goodSettings.baseURL, headers: new Headers() };
  return requireSignIn(config, request, parsed).status === 401 ? "401" : "login";
}

test("the guard decides by the path alone whether a plainly written target passes, whatever its method and query [REL-P05]", () => {
  const words = segments.filter((each) => /\w/.test(each));
  const plain = fc
    .array(fc.constantFrom(...words, "_nextfoo", "apix", "About"), { minLength: 1, maxLength: 5 })
    .map((path) => `/${path.join("/")}`);
  const queries = ["", "?x=1", "?returnTo=/about", "?/_next/x", "?/api/auth/login"];
  const method = fc.constantFrom("GET", "HEAD", "POST", "OPTIONS", "DELETE");
  const counts = { passed: 0, "401": 0, login: 0 };
  fc.assert(
    fc.property(plain, fc.constantFrom(...queries), method, (path, search, verb) => {
      const isAPI = /^\/api(?:\/|$)/i.test(path);
      const expected = isPublicPath(path) ? "passed" : isAPI ? "401" : "login";
      counts[expected] += 1;
      expect(outcomeOf(path + search, verb)).toBe(expected);
    }),
    runs,
  );
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(runs.numRuns / 50);
});
