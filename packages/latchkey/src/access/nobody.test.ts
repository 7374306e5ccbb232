import { expect, test } from "vitest";

import { SignInRequired } from "../errors/access-errors.ts";
import { nobody } from "./nobody.ts";

test("nobody is signed in where a build renders a page", async () => {
  const { session, user, ended } = nobody;
  expect([session, user, ended]).toEqual([null, null, undefined]);
  expect(() => nobody.require()).toThrow(SignInRequired);
  expect(nobody.explain({ scope: "read" })).toEqual({ holds: false, parts: [] });
  await expect(nobody.accessToken()).rejects.toMatchObject({ code: "ERR_MISSING_SESSION" });
});

test("a build changes and lists nothing", async () => {
  const results = [
    nobody.update((data) => data),
    nobody.touch(),
    nobody.devices(),
    nobody.activity(),
    nobody.renameDevice("id", "name"),
    nobody.endDevice("id"),
    nobody.endDevices("all"),
    nobody.undoEnds(),
  ];
  expect(await Promise.all(results)).toEqual(results.map(() => null));
});
