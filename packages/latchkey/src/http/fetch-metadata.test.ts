import { describe, expect, test } from "vitest";

import {
  isNoNavigation,
  isPageLoad,
  isPlainFetch,
  isPrefetch,
  isRead,
  isSameOrigin,
  referringPage,
} from "./fetch-metadata.ts";

const own = "http://localhost:3000";

function asking(headers: Record<string, string>) {
  return { headers: new Headers(headers) };
}

describe("same origin", () => {
  test.each<[Record<string, string>, boolean]>([
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "none" }, true],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "cross-site" }, false],
    [{ "sec-fetch-site": "same-site", origin: own }, false],
    [{ "sec-fetch-site": "cross-site", origin: own }, false],
    [{ "sec-fetch-site": "same-origin", origin: "https://evil.example" }, true],
    [{ "sec-fetch-site": "" }, false],
    [{ "sec-fetch-site": "same-origin", origin: "null" }, true],
    [{ origin: own }, true],
    [{ origin: "http://localhost:3001" }, false],
    [{ origin: "https://evil.example" }, false],
    [{ origin: "null" }, false],
    [{}, true],
  ])("a request with %j comes from our own origin: %s [STD-094]", (headers, sameOrigin) => {
    expect(isSameOrigin(asking(headers), own)).toBe(sameOrigin);
  });
});

test.each([
  [{ referer: `${own}/reports?x=1` }, `${own}/reports?x=1`],
  [{ referer: own }, null],
  [{ referer: "https://evil.example/" }, null],
  [{}, null],
] as [Record<string, string>, string | null][])(
  "a request with %j comes from the page %s",
  (headers, page) => {
    expect(referringPage(asking(headers), own)).toBe(page);
  },
);

describe("prefetch", () => {
  test.each([
    { "sec-purpose": "prefetch" },
    { "sec-purpose": "prefetch;prerender" },
    { purpose: "prefetch" },
    { "x-moz": "prefetch" },
    { "x-purpose": "preview" },
    { "next-router-prefetch": "1" },
  ] as Record<string, string>[])("a request with %j is a prefetch", (headers) => {
    expect(isPrefetch(asking(headers))).toBe(true);
  });

  test.each([{}, { purpose: "work" }, { "sec-purpose": "" }] as Record<string, string>[])(
    "a request with %j is no prefetch",
    (headers) => {
      expect(isPrefetch(asking(headers))).toBe(false);
    },
  );
});

describe("navigation", () => {
  test.each<[Record<string, string>, boolean]>([
    [{}, false],
    [{ "sec-fetch-mode": "navigate" }, false],
    [{ "sec-fetch-mode": "cors" }, true],
    [{ "sec-fetch-mode": "no-cors" }, true],
    [{ "sec-fetch-mode": "same-origin" }, true],
    [{ "sec-fetch-mode": "websocket" }, true],
    [{ "sec-fetch-mode": "cors", "user-agent": "node" }, false],
    [{ "sec-fetch-mode": "cors", "user-agent": "undici" }, false],
    [{ "sec-fetch-mode": "cors", "user-agent": "Mozilla/5.0" }, true],
    [{ "sec-fetch-mode": "cors", "user-agent": "node", "sec-fetch-site": "same-origin" }, true],
  ])("a request with %j opens no page: %s", (headers, no) => {
    expect(isNoNavigation(asking(headers))).toBe(no);
  });
});

test.each([
  ["GET", { "sec-fetch-dest": "document" }, true],
  ["POST", { "sec-fetch-dest": "document" }, false],
  ["GET", { "sec-fetch-dest": "iframe" }, false],
  ["GET", {}, false],
] as [string, Record<string, string>, boolean][])(
  "a %s with %j loads a page in a tab: %s",
  (method, headers, is) => {
    expect(isPageLoad({ method, ...asking(headers) })).toBe(is);
  },
);

const fetched = { accept: "*/*", "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" };

test.each([
  ["GET", fetched, true],
  ["GET", { ...fetched, accept: "text/html", "sec-purpose": "prefetch" }, true],
  ["GET", { ...fetched, accept: "text/html" }, false],
  ["POST", fetched, false],
  ["GET", { ...fetched, "sec-fetch-dest": "image" }, false],
  ["GET", { ...fetched, "sec-fetch-site": "cross-site" }, false],
] as [string, Record<string, string>, boolean][])(
  "a %s with %j comes from a script of ours that accepts anything: %s",
  (method, headers, is) => {
    expect(isPlainFetch({ method, ...asking(headers) })).toBe(is);
  },
);

test.each([
  ["GET", true],
  ["HEAD", true],
  ["POST", false],
  ["get", false],
])("a %s only reads: %s", (method, is) => {
  expect(isRead({ method })).toBe(is);
});
