import { expect, test } from "vitest";

import { isPublic } from "../../src/access/guard.ts";
import { readConfig } from "../../src/config/config.ts";
import { parseTarget } from "../../src/http/request-target.ts";
import { readingsOf } from "../reference-reader.ts";
import { seededRandom } from "../seeded-random.ts";
import { goodSettings } from "../settings.ts";

const config = readConfig(
  { ...goodSettings, publicPaths: ["/about", "/assets/", "/"] },
  { hasStore: false },
);

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

/** The rule of the guard, said a second time. */
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
  "whatever needs no session is public in every reading of a server",
  { timeout: 120_000 },
  () => {
    const random = seededRandom(20_261_122);
    const pick = <T>(list: readonly T[]) => elementAt(list, random(list.length));
    const wrong: string[] = [];
    let passed = 0;
    for (let count = 0; count < 120_000; count += 1) {
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
    expect(passed).toBeGreaterThan(5000);
  },
);
