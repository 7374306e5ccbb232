import { describe, expect, test } from "vitest";

import {
  type ActivityEntry,
  type ActivityKind,
  isActivityEntry,
  sharesSession,
  withDevice,
  withEntry,
} from "./activity-entry.ts";

/** Sessions by their names, separated by spaces. */
function entry(kind: ActivityKind, at: number, sessions = "", sidTag?: string): ActivityEntry {
  const tagged = sidTag === undefined ? {} : { sidTag };
  return { kind, at, sessions: sessions.split(" ").filter(Boolean), ...tagged };
}

const signIn = (session: string, at: number, sidTag?: string) =>
  entry("signed-in", at, session, sidTag);
const out = (at: number, session: string) => entry("signed-out", at, session);
const others = (at: number, sessions: string) => entry("signed-out-others", at, sessions);
const elsewhere = (at: number, session: string) => entry("signed-out-elsewhere", at, session);
const refused = (at: number, session: string) => entry("refresh-refused", at, session);
const expired = (at: number, session: string) => entry("expired", at, session);
const byProvider = (at: number, session: string, sidTag?: string) =>
  entry("signed-out-by-provider", at, session, sidTag);

describe("a recorded event", () => {
  test.each<[string, readonly ActivityEntry[], ActivityEntry]>([
    ["comes first", [signIn("one", 1)], out(2, "one")],
    ["is told twice where it happened twice", [out(1, "one")], out(2, "one")],
    ["stands alone where another was at the same time", [signIn("one", 5)], others(5, "two")],
    ["stands alone where the same was at another time", [others(4, "one")], others(5, "two")],
    ["stands alone where it was done to one session", [elsewhere(5, "one")], elsewhere(5, "two")],
    ["is a refused refresh, and another session had one", [refused(1, "one")], refused(2, "two")],
    ["is the first refused refresh of its session", [signIn("one", 1)], refused(2, "one")],
    [
      "is an end, and another session has ended",
      [out(3, "two"), signIn("two", 2), signIn("one", 1, "sid")],
      byProvider(4, "", "sid"),
    ],
    [
      "is an end of a session that nobody has signed in to lately",
      [out(1, "two")],
      expired(2, "one"),
    ],
  ])("%s", (_, before, told) => {
    expect(withEntry(before, told)).toEqual([told, ...before]);
  });

  test.each<[string, readonly ActivityEntry[], ActivityEntry]>([
    ["a refused refresh of one session", [signIn("two", 2), refused(1, "one")], refused(3, "one")],
    [
      "the end of a session that was signed out",
      [out(2, "one"), signIn("one", 1)],
      expired(3, "one"),
    ],
    [
      "the end of a session that was not used for too long",
      [expired(2, "one"), signIn("one", 1)],
      byProvider(3, "one"),
    ],
    [
      "the end of a session at the provider that was signed out here",
      [out(2, "one"), signIn("one", 1, "sid")],
      byProvider(3, "", "sid"),
    ],
  ])("is not recorded again: %s", (_, before, told) => {
    expect(withEntry(before, told)).toBe(before);
  });

  test("is one with what was done to other sessions at the same moment", () => {
    const before = [signIn("three", 5), others(5, "one"), signIn("one", 1)];
    expect(withEntry(before, others(5, "two"))).toEqual([
      signIn("three", 5),
      others(5, "one two"),
      signIn("one", 1),
    ]);
  });

  test("is a later end, if a session of the provider ended here before has a new sign-in", () => {
    const before = [signIn("two", 3, "sid"), out(2, "one"), signIn("one", 1, "sid")];
    const end = byProvider(4, "", "sid");
    const after = withEntry(before, end);
    expect(after).toEqual([end, ...before]);
    expect(withEntry(after, { ...end, sessions: ["two"] })).toBe(after);
  });
});

test("the device of a session is that of its own events, and not of what was done to several", () => {
  const before = [others(3, "one two"), signIn("two", 2), signIn("one", 1)];
  const device = { userAgent: "Firefox" };
  expect(withDevice(before, "one", () => device)).toEqual([
    ...before.slice(0, 2),
    { ...before[2], device },
  ]);
  const [known] = [{ ...signIn("one", 1), device }];
  expect(withDevice([known], "one", (former) => former)).toEqual([known]);
});

test.each<[ActivityEntry, ActivityEntry, boolean]>([
  [signIn("one", 1), signIn("one", 2), true],
  [signIn("one", 1), signIn("two", 1), false],
  [others(1, "one two"), signIn("two", 1), true],
  [signIn("one", 1, "sid"), signIn("two", 1, "sid"), true],
  [signIn("one", 1, "sid"), signIn("two", 1, "other"), false],
])("%j and %j are about one session: %s", (one, other, isShared) => {
  expect(sharesSession(one, other)).toBe(isShared);
});

test.each([
  [signIn("one", 1), true],
  [{ ...signIn("one", 1), kind: "unknown" }, false],
  [{ ...signIn("one", 1), at: 1.5 }, false],
  [{ ...signIn("one", 1), sessions: "one" }, false],
  [{ ...signIn("one", 1), sessions: ["one", 7] }, false],
  [null, false],
])("%j is an event that is kept: %s", (value, isOne) => {
  expect(isActivityEntry(value)).toBe(isOne);
});
