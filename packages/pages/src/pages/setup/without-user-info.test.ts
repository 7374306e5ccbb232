import { expect, test } from "vitest";

import { withoutUserInfo } from "./without-user-info.ts";

test.each([
  ["https://ada:secret@id.example.com/tenant", "https://id.example.com/tenant"],
  ["redis://:p@ss@cache.example.com:6379/0", "redis://cache.example.com:6379/0"],
  ["seen https://a@b.example, http://c:d@e.example", "seen https://b.example, http://e.example"],
  ["https://example.com/@ada?mail=a@b.example", "https://example.com/@ada?mail=a@b.example"],
  ["sqlite:/var/lib/app.db", "sqlite:/var/lib/app.db"],
])("%s is shown as %s", (text, shown) => {
  expect(withoutUserInfo(text)).toBe(shown);
});
