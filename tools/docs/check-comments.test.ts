import { expect, test } from "vitest";

import { readCheckComments } from "./check-comments.ts";

const sources = [
  `/** The shared one. */
   export const shared: Check = { name: "iss" };
   /**
    * Made for
    * an age.
    *
    * @param seconds - how old
    */
   export function made(seconds: number): Check { return { name: "iat" }; }
   export const both = [
     /** The first of two. */
     { name: "a" },
     shared,
   ] as const;`,
  `export const list: CheckList = {
     title: "Token",
     checks: [
       /** Its own. */
       { name: "typ" },
       shared,
       // Last.
       made(600),
       /** Better words. */
       made(3600),
       ...both,
     ],
   };
   export const each = forEachKind(() => [
     /** In each. */
     { name: "alg" },
   ]);`,
];

test("a check has the comment above it, or that of its declaration in any file", () => {
  const comments = readCheckComments(sources);
  expect(comments("list")).toEqual([
    "Its own.",
    "The shared one.",
    "Made for an age.",
    "Better words.",
    "The first of two.",
    "The shared one.",
  ]);
  expect(comments("each")).toEqual(["In each."]);
});

test("a name that is no list is an error", () => {
  const comments = readCheckComments(sources);
  expect(() => comments("nothing")).toThrow(TypeError);
  expect(() => comments("shared")).toThrow("shared is no list of checks.");
});
