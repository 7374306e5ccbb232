import { expect, test } from "vitest";

import { SignInRequired } from "../errors/access-errors.ts";
import { anonymous } from "./anonymous.ts";

test("no user is signed in while a build renders a page", async () => {
  const { session, user, ended } = anonymous;
  expect([session, user, ended]).toEqual([null, null, undefined]);
  expect(() => anonymous.require()).toThrow(SignInRequired);
  expect(anonymous.explain({ scope: "read" })).toEqual({ holds: false, parts: [] });
  await expect(anonymous.accessToken()).rejects.toThrow("no session in what a build renders");
});

test("a build changes and lists nothing", async () => {
  const results = [
    anonymous.update((data) => data),
    anonymous.touch(),
    anonymous.devices(),
    anonymous.activity(),
    anonymous.renameDevice("id", "name"),
    anonymous.endDevice("id"),
    anonymous.endDevices("all"),
  ];
  expect(await Promise.all(results)).toEqual(results.map(() => null));
});
