import { describe, expect, test } from "vitest";

import type { DeviceTrace } from "../session/device-trace.ts";
import type { UserEvent } from "../session/user-event.ts";
import type { ActivityEntry } from "./activity-entry.ts";
import { withUserEvent } from "./with-user-event.ts";

const now = 1_800_000_000;
const subTag = "ada";
const laptop: DeviceTrace = { userAgent: "Firefox on Linux" };
const phone: DeviceTrace = { userAgent: "Safari on iOS" };

const signedIn: UserEvent = {
  event: "signed-in",
  subTag,
  session: "s1",
  sidTag: "at-provider",
  device: laptop,
  replaced: undefined,
};
const entry = { kind: "signed-in", at: now, sessions: ["s1"], device: laptop } as const;

/** The entries after events, one second apart, the newest first. */
function after(...events: readonly UserEvent[]): readonly ActivityEntry[] {
  return events.reduce<readonly ActivityEntry[]>(
    (entries, event, place) => withUserEvent(entries, event, now + place),
    [],
  );
}

test("a sign-in becomes an entry with its browser and its session at the provider", () => {
  expect(after(signedIn)).toEqual([{ ...entry, sidTag: "at-provider" }]);
});

test("a sign-in that replaces a session belongs to the browser of the first one", () => {
  const [second] = after(signedIn, { ...signedIn, session: "s2", replaced: "s1" });
  expect(second).toMatchObject({ sessions: ["s2"], at: now + 1, first: "s1" });
  const [third] = after(
    signedIn,
    { ...signedIn, session: "s2", replaced: "s1" },
    { ...signedIn, session: "s3", replaced: "s2" },
  );
  expect(third).toMatchObject({ sessions: ["s3"], first: "s1" });
});

test("a refused sign-in becomes an entry of no session, with its reference", () => {
  const refused = {
    event: "sign-in-refused",
    subTag,
    reference: "ABCD-EFGH",
    device: phone,
  } as const;
  expect(after(signedIn, refused)[0]).toEqual({
    kind: "sign-in-refused",
    at: now + 1,
    sessions: [],
    reference: "ABCD-EFGH",
    device: phone,
  });
});

test("an end by the provider becomes one entry, however often it is reported", () => {
  const ended = {
    event: "ended-by-provider",
    subTag,
    session: "s1",
    sidTag: "at-provider",
  } as const;
  const entries = after(signedIn, ended, ended);
  expect(entries.map(({ kind }) => kind)).toEqual(["signed-out-by-provider", "signed-in"]);
});

describe("an event about the browser of a session", () => {
  const ended = { event: "device-ended", subTag, session: "s1", device: phone } as const;
  const renamed = { event: "device-renamed", subTag, session: "s1", name: "At work" } as const;

  test("adds no entry", () => {
    expect(after(ended, renamed)).toEqual([]);
  });

  test("gives a browser to an entry without one, and leaves the others", () => {
    const before: readonly ActivityEntry[] = [
      { kind: "signed-out-elsewhere", at: now, sessions: ["s1"] },
      { kind: "signed-in", at: now, sessions: ["s2"] },
      entry,
    ];
    const devices = withUserEvent(before, ended, now).map(({ device }) => device);
    expect(devices).toEqual([phone, undefined, laptop]);
  });

  test("names it in the entries that have one", () => {
    const before: readonly ActivityEntry[] = [
      entry,
      { kind: "expired", at: now, sessions: ["s1"] },
      { ...entry, sessions: ["s2"] },
    ];
    const devices = withUserEvent(before, renamed, now).map(({ device }) => device);
    expect(devices).toEqual([{ ...laptop, name: "At work" }, undefined, laptop]);
  });
});
