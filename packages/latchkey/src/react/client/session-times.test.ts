import { expect, test } from "vitest";
import {
  nextCheckAt,
  timesFromWire,
  UNKNOWN_TIMES,
  idleWarningSeconds,
  warningAt,
} from "./session-times.ts";
import type { SessionTimes } from "./session-state.ts";

const start = 1_000_000;

function times(rolling: number | null, absolute: number | null): SessionTimes {
  const ends = [rolling, absolute].filter((length) => length !== null);
  return {
    rollingEndsAt: rolling === null ? null : start + rolling,
    absoluteEndsAt: absolute === null ? null : start + absolute,
    endsAt: ends.length > 0 ? start + Math.min(...ends) : null,
    rollingDuration: rolling,
    absoluteDuration: absolute,
  };
}

test.each([
  [86_400, 300],
  [3_000, 300],
  [2_000, 200],
  [1_200, 120],
  [600, 120],
  [121, 120],
  [120, 60],
  [30, 15],
  [null, 120],
])("a rolling duration of %s seconds has its warning %s seconds before the end", (lasts, left) => {
  expect(idleWarningSeconds(lasts)).toBe(left);
});

test.each([
  ["far from any end", times(1_800, 604_800), 1_000, null],
  ["a tenth of the duration before the rolling end", times(1_800, 604_800), 1_620, "idle"],
  ["one second sooner", times(1_800, 604_800), 1_619, null],
  ["ten minutes before the absolute end", times(null, 36_000), 35_400, "absolute"],
  ["the absolute end comes first", times(40_000, 36_000), 35_900, "absolute"],
  ["both are near and the rolling end is nearer", times(35_950, 36_000), 35_900, "idle"],
  ["after the end and before the server confirms it", times(1_800, null), 1_900, "idle"],
  ["at the start of an absolute duration of five minutes", times(null, 300), 10, null],
  ["at the end of an absolute duration of five minutes", times(null, 300), 190, "absolute"],
  ["there is no end", times(null, null), 1e9, null],
])("%s, the due warning is right", (_, given, after, kind) => {
  expect(warningAt(given, start + after)?.kind ?? null).toBe(kind);
});

test("checks are due before each warning, while a rolling end is near, and at the end", () => {
  const checks = [start];
  const given = times(1_800, 604_800);
  while ((checks.at(-1) ?? 0) < start + 1_800) checks.push(nextCheckAt(given, checks.at(-1) ?? 0));
  const [first, second, ...rest] = checks.slice(1).map((at) => at - start);
  expect([first, second, rest.at(-2), rest.at(-1)]).toEqual([1_615, 1_625, 1_795, 1_801]);
  const absolute = times(null, 36_000);
  expect(nextCheckAt(absolute, start)).toBe(start + 35_395);
  expect(nextCheckAt(absolute, start + 35_395)).toBe(start + 35_875);
  expect(nextCheckAt(absolute, start + 35_875)).toBe(start + 36_001);
  expect(nextCheckAt(times(null, null), start)).toBe(Infinity);
});

test("an unknown duration stays as it was before", () => {
  const wire = { rollingEndsAt: 2_800, absoluteEndsAt: 11_000, endsAt: 2_800 };
  const first = timesFromWire({ ...wire, createdAt: 1_000, updatedAt: 1_000 }, UNKNOWN_TIMES);
  expect(first).toMatchObject({ rollingDuration: 1_800, absoluteDuration: 10_000 });
  expect(timesFromWire(wire, first)).toEqual(first);
  expect(timesFromWire(wire, UNKNOWN_TIMES)).toMatchObject({ rollingDuration: null });
  const none = { rollingEndsAt: null, absoluteEndsAt: null, endsAt: null, updatedAt: 5 };
  expect(timesFromWire(none, first)).toEqual(UNKNOWN_TIMES);
});
