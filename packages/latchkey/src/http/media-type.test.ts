import { expect, test } from "vitest";

import { mediaTypeOf } from "./media-type.ts";

test.each([
  ["text/html", "text/html"],
  ["Text/HTML; charset=utf-8", "text/html"],
  [" application/json ;x=1", "application/json"],
  ["", ""],
  [";charset=utf-8", ""],
])("the content type %j has the media type %j", (value, expected) => {
  expect(mediaTypeOf(new Headers({ "Content-Type": value }))).toBe(expected);
});

test("a message without a content type has the empty media type", () => {
  expect(mediaTypeOf(new Headers())).toBe("");
});
