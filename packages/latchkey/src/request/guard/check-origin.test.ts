import { describe, expect, test } from "vitest";

import { checkOrigin } from "./check-origin.ts";

function isRefused(
  method: string,
  headers: Readonly<Record<string, string>>,
  { on = true, pageURL }: { readonly on?: boolean; readonly pageURL?: string } = {},
): boolean {
  const request = { method, headers: new Headers(headers), url: "https://app.example/x", pageURL };
  try {
    checkOrigin({ checkOrigin: on }, request);
    return false;
  } catch {
    return true;
  }
}

describe("a change is refused", () => {
  test.each([
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from a sister host", { "sec-fetch-site": "same-site" }],
    ["from a site in a browser without fetch metadata", { origin: "https://other.example" }],
    ["from a page without an origin", { origin: "null" }],
    [
      "from a sister host that names our origin",
      { "sec-fetch-site": "same-site", origin: "https://app.example" },
    ],
  ])("%s", (_, headers) => {
    const changes = ["POST", "PUT", "PATCH", "DELETE", "MKCOL"];
    expect(changes.filter((method) => isRefused(method, headers))).toEqual(changes);
    expect(changes.filter((method) => isRefused(method, headers, { on: false }))).toEqual([]);
    for (const method of ["GET", "HEAD", "OPTIONS"]) expect(isRefused(method, headers)).toBe(false);
  });
});

describe("a change passes", () => {
  test.each([
    ["from our own page", { "sec-fetch-site": "same-origin" }],
    ["by the user", { "sec-fetch-site": "none" }],
    ["from our own page in an old browser", { origin: "https://app.example" }],
    ["of a client that is no browser", {}],
  ])("%s", (_, headers) => {
    expect(isRefused("POST", headers)).toBe(false);
  });
});

test("a proxy in front of another page compares the origin of that page", () => {
  const pageURL = "https://wiki.example/edit";
  expect(isRefused("POST", { origin: "https://wiki.example" }, { pageURL })).toBe(false);
  expect(isRefused("POST", { origin: "https://app.example" }, { pageURL })).toBe(true);
});
