import * as fc from "fast-check";
import { expect, test } from "vitest";

import { safeReturnTo } from "../../src/http/return-to.ts";
import { words } from "../words.ts";
import { patience, runs } from "./runs.ts";

const bases = ["https://app.example", "http://localhost:3000", "https://app.example:8443"];

/** An address taken apart as RFC 3986, appendix B, does it: another reader than the browser's. */
const generic = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?[^#]*)?(?:#.*)?$/s;

function originByRFC3986(address: string): string {
  const [, scheme = "", authority = ""] = generic.exec(address) ?? [];
  return `${scheme}://${authority}`;
}

/** Checks the rules for every accepted return address. */
function expectSafe(value: string, baseURL: string): string | null {
  const rules = { baseURL, authPath: "/api/auth" };
  const kept = safeReturnTo(value, rules);
  if (kept === null) return null;
  const browser = new URL(kept);
  expect(browser.origin).toBe(new URL(baseURL).origin);
  expect(browser.username + browser.password).toBe("");
  expect(originByRFC3986(kept)).toBe(baseURL);
  expect(kept).toMatch(/^[!-~]+$/);
  const isSpelledOut = value.startsWith(`${baseURL}/`);
  expect(isSpelledOut || !/^\/[/\\]/.test(browser.pathname)).toBe(true);
  expect(browser.pathname).not.toMatch(/^\/api\/auth(?:\/|$)/);
  expect(safeReturnTo(kept, rules)).toBe(kept);
  return kept;
}

/** Random combinations of pieces read differently by URL parsers. */
const piece = fc.oneof(
  fc.constantFrom(
    ..."/ // \\ . .. : @ ? # % ; & = + ~ [ ] %2f %5c %2e %00 %0a %25 %E3%80%82 \t \n \r \0 \u3002 \uff0f \u2028 \ufeff".split(
      " ",
    ),
    ...words`
      http: https: javascript: blob: app.example localhost:3000 evil.example user:pw@
      api/auth/logout api auth page
    `,
    " ",
  ),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const wanted = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

test(
  "the app accepts a return address only with our origin for two parsers, and returns it unchanged a second time [REL-P04]",
  { timeout: patience },
  () => {
    let kept = 0;
    fc.assert(
      fc.property(wanted, fc.constantFrom(...bases), fc.boolean(), (end, baseURL, isSpelledOut) => {
        const value = isSpelledOut ? baseURL + end : end;
        if (expectSafe(value, baseURL) !== null) kept += 1;
      }),
      runs,
    );
    expect(kept).toBeGreaterThan(runs.numRuns / 10);
  },
);

test(
  "the app accepts every ordinary path of the app unchanged [REL-P04]",
  { timeout: patience },
  () => {
    const segment = fc.stringMatching(/^[a-zA-Z0-9_~-]{1,10}$/);
    const path = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((list) => `/${list.join("/")}`);
    const query = fc.dictionary(segment, fc.string(), { maxKeys: 3 });
    fc.assert(
      fc.property(path, query, fc.constantFrom(...bases), (pathname, members, baseURL) => {
        fc.pre(!pathname.startsWith("/api/auth"));
        const search = new URLSearchParams(members).toString();
        const value = search === "" ? pathname : `${pathname}?${search}`;
        expect(expectSafe(value, baseURL)).toBe(baseURL + value);
      }),
      runs,
    );
  },
);
