import { expect, test } from "vitest";

import { preferredBody } from "./accept.ts";

test.each([
  [null, "text"],
  ["", "text"],
  ["*/*", "text"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"],
  ["application/json", "json"],
  ["application/json, text/plain, */*", "json"],
  ["application/problem+json", "json"],
  ["text/plain", "text"],
  ["application/xhtml+xml", "html"],
  ["text/plain, text/html;q=0.9", "text"],
  ["*/*, text/html;q=0.9", "text"],
  ["image/png, text/html;q=0.9", "html"],
  ["application/json;charset=utf-8, text/html;q=0.5", "json"],
  ["TEXT/HTML", "html"],
  ["text/html;q=0.1, application/json;q=0.9", "json"],
  ["application/json;q=0.5, text/html", "html"],
  ["text/html;q=0", "text"],
  ["text/html;q=x", "text"],
  ["image/png", "text"],
  ["image/png,text/html", "html"],
])("the header Accept %j prefers %s", (accept, kind) => {
  const headers = new Headers(accept === null ? {} : { accept });
  expect(preferredBody({ headers })).toBe(kind);
});

test("of a header with very many ranges only the first ones are read", () => {
  const headers = new Headers({ accept: `${"image/png,".repeat(5000)}text/html` });
  expect(preferredBody({ headers })).toBe("text");
});
