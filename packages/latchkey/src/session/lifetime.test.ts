import { describe, expect, test } from "vitest";

import type { SessionLifetime } from "../config/config.ts";
import { endOf, expiryOf, longestLife, markLife, renewedTimes, timesOf } from "./lifetime.ts";

const created = 1_700_000_000;
const byDefault: SessionLifetime = { rolling: 86_400, absolute: 604_800 };
const withoutRolling: SessionLifetime = { rolling: null, absolute: 604_800 };
const withoutAbsolute: SessionLifetime = { rolling: 86_400, absolute: null };

/** A session as it is written: created then, used last at `uat`. */
function written(lifetime: SessionLifetime, uat = created) {
  return { iat: created, uat, exp: endOf({ iat: created, uat }, lifetime) };
}

describe("the end written", () => {
  test.each([
    ["the earlier of both where there are both", byDefault, created, created + 86_400],
    ["the absolute end where that is near", byDefault, created + 600_000, created + 604_800],
    [
      "the rolling end where there is no other",
      withoutAbsolute,
      created + 1_000_000,
      created + 1_086_400,
    ],
    ["the absolute end where there is no other", withoutRolling, created + 50, created + 604_800],
  ])("it is %s", (_, lifetime, uat, end) => {
    expect(endOf({ iat: created, uat }, lifetime)).toBe(end);
  });
});

describe("a session without use [ASVS 7.3.1]", () => {
  test.each([
    [86_399, null],
    [86_400, "idle"],
    [86_401, "idle"],
  ])("after %i seconds it has expired by %s", (seconds, expected) => {
    expect(expiryOf(written(byDefault), byDefault, created + seconds)).toBe(expected);
  });
});

describe("a session in use [ASVS 7.3.2]", () => {
  test.each([
    [604_799, null],
    [604_800, "max-age"],
    [604_801, "max-age"],
  ])("after %i seconds it has expired by %s", (seconds, expected) => {
    const times = written(byDefault, created + 604_700);
    expect(expiryOf(times, byDefault, created + seconds)).toBe(expected);
  });

  test.each([
    [604_799, null],
    [604_800, "max-age"],
    [604_801, "max-age"],
  ])("without a rolling end it has expired after %i seconds by %s", (seconds, expected) => {
    expect(expiryOf(written(withoutRolling), withoutRolling, created + seconds)).toBe(expected);
  });

  test("without an absolute end it lives as long as it is used", () => {
    const times = written(withoutAbsolute, created + 100_000_000);
    expect(expiryOf(times, withoutAbsolute, created + 100_086_399)).toBeNull();
    expect(expiryOf(times, withoutAbsolute, created + 100_086_400)).toBe("idle");
  });
});

describe("when the settings change", () => {
  const shorter: SessionLifetime = { rolling: 3600, absolute: 7200 };

  test("shorter durations end existing sessions", () => {
    expect(expiryOf(written(byDefault), shorter, created + 3599)).toBeNull();
    expect(expiryOf(written(byDefault), shorter, created + 3600)).toBe("idle");
    expect(expiryOf(written(byDefault, created + 7000), shorter, created + 7200)).toBe("max-age");
  });

  test("longer durations do not reach beyond the end written", () => {
    expect(expiryOf(written(shorter), byDefault, created + 3599)).toBeNull();
    expect(expiryOf(written(shorter), byDefault, created + 3600)).toBe("idle");
  });
});

test("use moves the rolling end and leaves the creation", () => {
  expect(renewedTimes(written(byDefault), byDefault, created + 1000)).toEqual({
    iat: created,
    uat: created + 1000,
    exp: created + 87_400,
  });
});

describe("the longest life of a session", () => {
  test("it is the absolute duration", () => {
    expect(longestLife(byDefault)).toBe(604_800);
    expect(longestLife(withoutRolling)).toBe(604_800);
  });

  test("it is 400 days or the longer rolling duration without an absolute end [CONF-08]", () => {
    expect(longestLife(withoutAbsolute)).toBe(400 * 86_400);
    expect(longestLife({ rolling: 500 * 86_400, absolute: null })).toBe(500 * 86_400);
  });
});

describe("the times as an app sees them", () => {
  test("the times are both ends, the earlier one, and when the sign-in was started", () => {
    const header = { ...written(byDefault, created + 10), started: created * 1000 - 5500 };
    expect(timesOf(header, byDefault)).toEqual({
      startedAt: created - 6,
      createdAt: created,
      updatedAt: created + 10,
      rollingEndsAt: created + 86_410,
      absoluteEndsAt: created + 604_800,
      endsAt: created + 86_410,
    });
  });

  test("a missing end is null, and an unknown start is the creation", () => {
    expect(timesOf(written(withoutRolling), withoutRolling)).toMatchObject({
      startedAt: created,
      rollingEndsAt: null,
      endsAt: created + 604_800,
    });
    expect(timesOf(written(withoutAbsolute), withoutAbsolute)).toMatchObject({
      absoluteEndsAt: null,
      endsAt: created + 86_400,
    });
  });
});

test("a session ends when the cookie says, also if today's settings are longer", () => {
  const header = written({ rolling: 60, absolute: null }, created);
  expect(timesOf(header, byDefault)).toMatchObject({ endsAt: created + 60 });
});

test.each([
  [byDefault, 86_400],
  [withoutRolling, 604_800],
  [withoutAbsolute, 86_400],
  [{ rolling: 60, absolute: 30 }, 30],
])("the end of a session with %j is remembered for %i s [OP-034]", (lifetime, seconds) => {
  expect(markLife(lifetime)).toBe(seconds);
});
