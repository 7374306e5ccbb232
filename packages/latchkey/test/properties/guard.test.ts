import * as fc from "fast-check";
import { expect, test } from "vitest";

import { isPublic, requireSignIn } from "../../src/access/guard.ts";
import { readConfig } from "../../src/config/config.ts";
import { parseTarget } from "../../src/http/request-target.ts";
import { goodSettings } from "../settings.ts";
import { patience, runs } from "./runs.ts";

const publicPaths = ["/about", "/assets/"];
const config = readConfig({ ...goodSettings, publicPaths }, { hasStore: false });

const words =
  "api auth login callback logout me orders _next static _auth assets about favicon.ico private x";
const segment = fc.constantFrom(
  ...words.split(" "),
  ..."_nextfoo apix About .. . ;x ..;x about;x \\ ..\\ a\\..\\b".split(" "),
  "",
);
const anyPath = fc
  .array(segment, { minLength: 1, maxLength: 6 })
  .map((segments) => `/${segments.join("/")}`);

/** Encodes some characters, once or several times over. */
const encoding = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 4 })), { maxLength: 6 });

function encoded(path: string, where: readonly (readonly [number, number])[]): string {
  const characters = [...path];
  for (const [at, rounds] of where) {
    const index = 1 + (at % Math.max(1, characters.length - 1));
    const character = characters[index];
    if (character === undefined || character.length > 1) continue;
    const hex = character.charCodeAt(0).toString(16);
    characters[index] = `%${"25".repeat(rounds - 1)}${hex}`;
  }
  return characters.join("");
}

type Reader = (path: string) => string;

const decodedOnce: Reader = (path) =>
  path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
const decodedFully: Reader = (path) => {
  const next = decodedOnce(path);
  return next === path ? path : decodedFully(next);
};
const merged: Reader = (path) => path.replace(/\/+/g, "/");
const slashed: Reader = (path) => path.replaceAll("\\", "/");
const withoutParameters: Reader = (path) => path.replace(/;[^/]*/g, "");
/** As the URL parser of browsers resolves it, behind an authority. */
const resolved: Reader = (path) => new URL(`http://x${path.replace(/[?#]/g, "_")}`).pathname;

function inOrder(...readers: readonly Reader[]): Reader {
  return (path) => readers.reduce((current, read) => read(current), path);
}

/** What servers make of a path before they choose a handler. */
const readers: readonly Reader[] = [
  (path) => path,
  decodedOnce,
  decodedFully,
  resolved,
  withoutParameters,
  inOrder(resolved, decodedOnce),
  inOrder(decodedOnce, resolved),
  inOrder(decodedOnce, decodedOnce, resolved),
  inOrder(merged, resolved),
  inOrder(resolved, merged, decodedOnce),
  inOrder(withoutParameters, resolved, decodedOnce),
  inOrder(decodedOnce, withoutParameters, resolved),
  inOrder(decodedFully, slashed, merged, resolved, merged),
];

/** The rule of the guard, written a second time. */
function mayBePublic(path: string): boolean {
  return (
    /^\/(?:api\/auth|_auth|_next)(?:\/|$)/.test(path) ||
    path.startsWith("/assets/") ||
    ["/favicon.ico", "/about"].includes(path)
  );
}

type Outcome = "passed" | "401" | "login" | "malformed";

function outcomeOf(target: string, method: string): Outcome {
  const parsed = parseTarget(target);
  if (parsed === null) return "malformed";
  if (isPublic(config, parsed)) return "passed";
  const request = { method, url: goodSettings.baseURL, headers: new Headers() };
  return requireSignIn(config, request, parsed).status === 401 ? "401" : "login";
}

const method = fc.constantFrom("GET", "HEAD", "POST", "OPTIONS", "DELETE");
const query = fc.constantFrom("", "?x=1", "?returnTo=/about", "?/_next/x", "?/api/auth/login");

test(
  "a target that passes without a session is public to every reader, however it is encoded [REL-P05]",
  { timeout: patience },
  () => {
    let passed = 0;
    fc.assert(
      fc.property(anyPath, encoding, query, method, (path, where, search, verb) => {
        const asked = encoded(path, where);
        if (outcomeOf(asked + search, verb) !== "passed") return;
        passed += 1;
        for (const read of readers) {
          const reading = read(asked);
          expect({ asked, reading, isPublic: mayBePublic(reading) }).toEqual({
            asked,
            reading,
            isPublic: true,
          });
        }
      }),
      { ...runs, numRuns: 30_000 },
    );
    expect(passed).toBeGreaterThan(700);
  },
);

test(
  "a plainly written path decides alone whether a target passes, whatever its method and query [REL-P05]",
  { timeout: patience },
  () => {
    const plain = fc
      .array(fc.constantFrom(...words.split(" "), "_nextfoo", "apix", "About"), {
        minLength: 1,
        maxLength: 5,
      })
      .map((segments) => `/${segments.join("/")}`);
    const counts = { passed: 0, "401": 0, login: 0 };
    fc.assert(
      fc.property(plain, query, method, (path, search, verb) => {
        const isAPI = /^\/api(?:\/|$)/.test(path);
        const expected = mayBePublic(path) ? "passed" : isAPI ? "401" : "login";
        counts[expected] += 1;
        expect(outcomeOf(path + search, verb)).toBe(expected);
      }),
      runs,
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(300);
  },
);
