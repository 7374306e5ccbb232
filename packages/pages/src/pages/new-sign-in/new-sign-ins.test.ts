import { type Activity, type Device, referenceOf } from "latchkey";
import { expect, test } from "vitest";

import { browserOf, type KnownSignIns, mayHaveNewSignIn, newSignIns } from "./new-sign-ins.ts";

/** Sessions have ids like these in the engine; the one of the request is `here`. */
const ids = { here: "AAAAAAAA", phone: "BBBBBBBB", tablet: "CCCCCCCC", again: "DDDDDDDD" } as const;
type Name = keyof typeof ids;

function event(kind: Activity["kind"], name: Name, browser: Name, at: number): Activity {
  return {
    kind,
    at,
    device: null,
    connection: null,
    isByCurrent: false,
    isCurrent: name === "here",
    browser: referenceOf(ids[browser]),
    count: 1,
    reference: referenceOf(ids[name]),
  };
}

const signIn = (name: Name, at: number, browser = name) => event("signed-in", name, browser, at);

function device(name: Name, startedAt: number): Device {
  return {
    id: ids[name],
    connection: "default",
    isCurrent: name === "here",
    startedAt,
    lastUsedAt: startedAt,
    endsAt: startedAt + 3600,
    userAgent: "",
    name: "",
    network: null,
    isDeviceBound: false,
    accessTokenEndsAt: null,
  };
}

/** Activity is given oldest first, as it happens. */
function known(activity: readonly Activity[], recognized: readonly Name[] = []): KnownSignIns {
  return {
    activity: activity.toReversed(),
    startedAt: 10,
    recognized: recognized.map((name) => referenceOf(ids[name])),
  };
}

function asked(facts: KnownSignIns, devices: readonly Device[]): readonly string[] {
  return newSignIns(facts, devices).map(({ id }) => id);
}

const [here, phone, tablet] = [device("here", 10), device("phone", 20), device("tablet", 30)];

test("a later sign-in on another device is new", () => {
  const facts = known([signIn("here", 10), signIn("phone", 20)]);
  expect(mayHaveNewSignIn(facts)).toBe(true);
  expect(asked(facts, [here, phone])).toEqual([ids.phone]);
});

test("of several new sign-ins the newest comes first", () => {
  const facts = known([signIn("here", 10), signIn("phone", 20), signIn("tablet", 30)]);
  expect(asked(facts, [here, phone, tablet])).toEqual([ids.tablet, ids.phone]);
});

test("of new sign-ins in one second the later one comes first, whatever the order of the list", () => {
  const facts = known([signIn("here", 10), signIn("phone", 20), signIn("tablet", 20)]);
  const devices = [here, device("phone", 20), device("tablet", 20)];
  expect(asked(facts, devices)).toEqual([ids.tablet, ids.phone]);
  expect(asked(facts, devices.toReversed())).toEqual([ids.tablet, ids.phone]);
});

test("a sign-in of the same second is new if it came later", () => {
  const facts = known([signIn("tablet", 10), signIn("here", 10), signIn("phone", 10)]);
  const devices = [here, device("phone", 10), device("tablet", 10)];
  expect(asked(facts, devices)).toEqual([ids.phone]);
});

test.each<[string, KnownSignIns, readonly Device[]]>([
  [
    "before the sign-in of this session",
    known([signIn("phone", 5), signIn("here", 10)]),
    [here, device("phone", 5)],
  ],
  ["of this session", known([signIn("here", 10)]), [here]],
  [
    "in a recognized browser",
    known([signIn("here", 10), signIn("phone", 20)], ["phone"]),
    [here, phone],
  ],
  [
    "that followed on a recognized one in its browser",
    known([signIn("here", 10), signIn("phone", 20), signIn("again", 30, "phone")], ["phone"]),
    [here, device("again", 30)],
  ],
  [
    "that followed on an older one in its browser",
    known([signIn("phone", 5), signIn("here", 10), signIn("again", 30, "phone")]),
    [here, device("again", 30)],
  ],
  [
    "that was signed out",
    known([signIn("here", 10), signIn("phone", 20), event("signed-out", "phone", "phone", 25)]),
    [here],
  ],
  [
    "that is over",
    known([signIn("here", 10), signIn("phone", 20), event("expired", "phone", "phone", 25)]),
    [here],
  ],
])("a sign-in is not new, and costs no read of the list: one %s", (_, facts, devices) => {
  expect(mayHaveNewSignIn(facts)).toBe(false);
  expect(asked(facts, devices)).toEqual([]);
});

test("a sign-in that was replaced in its browser is new no more, and the later one is", () => {
  const facts = known([signIn("here", 10), signIn("phone", 20), signIn("again", 30, "phone")]);
  expect(mayHaveNewSignIn(facts)).toBe(true);
  expect(asked(facts, [here, device("again", 30)])).toEqual([ids.again]);
});

test("a sign-in stays new after a new sign-in in this browser", () => {
  const facts = known([signIn("again", 5), signIn("phone", 7), signIn("here", 10, "again")]);
  expect(mayHaveNewSignIn(facts)).toBe(true);
  expect(asked(facts, [here, device("phone", 7)])).toEqual([ids.phone]);
});

test("a sign-in after a refused refresh of its session is still new", () => {
  const refused = event("refresh-refused", "phone", "phone", 25);
  expect(mayHaveNewSignIn(known([signIn("here", 10), signIn("phone", 20), refused]))).toBe(true);
});

test("events that push a sign-in out of the list do not hide it", () => {
  const noise = Array.from({ length: 5 }, () => [
    signIn("tablet", 30),
    event("signed-out", "tablet", "tablet", 31),
  ]).flat();
  const facts = known(noise);
  expect(mayHaveNewSignIn(facts)).toBe(true);
  expect(asked(facts, [here, phone])).toEqual([ids.phone]);
  expect(asked(known(noise, ["phone"]), [here, phone])).toEqual([]);
  expect(asked(facts, [here, device("phone", 9)])).toEqual([]);
});

test("a device is recognized by its browser, and without an event by itself", () => {
  const { activity } = known([signIn("phone", 20), signIn("again", 30, "phone")]);
  expect(browserOf(ids.again, activity)).toBe(referenceOf(ids.phone));
  expect(browserOf(ids.tablet, activity)).toBe(referenceOf(ids.tablet));
});
