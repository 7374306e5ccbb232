import { describe, expect, test } from "vitest";

import { isCrossSite, isNoNavigation, isPrefetch, isSameOrigin } from "./fetch-metadata.ts";

const own = "http://localhost:3000";

function asking(headers: Record<string, string>) {
  return { headers: new Headers(headers) };
}

describe("cross-site", () => {
  test.each([
    [{ "sec-fetch-site": "cross-site" }, true],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "same-origin" }, false],
    [{ "sec-fetch-site": "none" }, false],
    [{ "sec-fetch-site": "cross-site", origin: own }, true],
    [{ "sec-fetch-site": "same-origin", origin: "https://evil.example" }, false],
    [{ origin: own }, false],
    [{ origin: "https://evil.example" }, true],
    [{ origin: "null" }, true],
    [{ origin: "http://localhost:3001" }, true],
    [{}, false],
  ] as [Record<string, string>, boolean][])("%j: %s [STD-094]", (headers, crossSite) => {
    expect(isCrossSite(asking(headers), own)).toBe(crossSite);
  });
});

describe("same origin", () => {
  test.each([
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "none" }, true],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "cross-site" }, false],
    [{ "sec-fetch-site": "same-site", origin: own }, false],
    [{ "sec-fetch-site": "same-origin", origin: "null" }, true],
    [{ origin: own }, true],
    [{ origin: "http://localhost:3001" }, false],
    [{ origin: "null" }, false],
    [{}, true],
  ] as [Record<string, string>, boolean][])("%j: %s [STD-094]", (headers, sameOrigin) => {
    expect(isSameOrigin(asking(headers), own)).toBe(sameOrigin);
  });
});

describe("prefetch", () => {
  test.each([
    { "sec-purpose": "prefetch" },
    { "sec-purpose": "prefetch;prerender" },
    { purpose: "prefetch" },
    { "x-moz": "prefetch" },
    { "x-purpose": "preview" },
    { "next-router-prefetch": "1" },
  ] as Record<string, string>[])("%j is one", (headers) => {
    expect(isPrefetch(asking(headers))).toBe(true);
  });

  test.each([{}, { purpose: "work" }, { "sec-purpose": "" }] as Record<string, string>[])(
    "%j is none",
    (headers) => {
      expect(isPrefetch(asking(headers))).toBe(false);
    },
  );
});

describe("navigation", () => {
  test.each([
    [{}, false],
    [{ "sec-fetch-mode": "navigate" }, false],
    [{ "sec-fetch-mode": "cors" }, true],
    [{ "sec-fetch-mode": "no-cors" }, true],
    [{ "sec-fetch-mode": "same-origin" }, true],
    [{ "sec-fetch-mode": "websocket" }, true],
    [{ "sec-fetch-mode": "cors", "user-agent": "node" }, false],
    [{ "sec-fetch-mode": "cors", "user-agent": "node", "sec-fetch-site": "same-origin" }, true],
  ] as [Record<string, string>, boolean][])("%j is no navigation: %s", (headers, no) => {
    expect(isNoNavigation(asking(headers))).toBe(no);
  });
});
