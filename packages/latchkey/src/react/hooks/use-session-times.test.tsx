// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { SignInTestProvider, useSessionTimes, type SessionState } from "../index.ts";
import { leaveNothing, readerOf, show } from "../support/render.support.tsx";
import { ada } from "../support/server.support.ts";

afterEach(leaveNothing);

const { Reader, last } = readerOf(useSessionTimes);

test("the remaining time ticks every 30 seconds, and every second in the last minute", async () => {
  const { pass } = show(<Reader />, { before: ({ server }) => (server.rolling = 1_800) });
  expect(last().times).toMatchObject({ rollingDuration: 1_800, absoluteDuration: 604_800 });
  expect(last().remaining).toBe(1_800);
  await pass(29_000);
  expect(last().remaining).toBe(1_800);
  await pass(1_000);
  expect(last().remaining).toBe(1_770);
  await pass(1_720_100);
  expect(last().remaining).toBe(50);
  await pass(1_000);
  expect(last().remaining).toBe(49);
});

test.each<SessionState>([
  { status: "loading", user: null },
  { status: "signed-out", user: null },
  { status: "signed-out", user: null, ended: "max-age" },
])("there are no times while the session is %j", (session) => {
  render(
    <SignInTestProvider session={session}>
      <Reader />
    </SignInTestProvider>,
  );
  expect(last()).toMatchObject({ times: null, remaining: null });
});

test("in a component test the clock stands still at the given time", () => {
  const ends = { rollingEndsAt: 2_000, absoluteEndsAt: null, endsAt: 2_000 };
  const times = { ...ends, rollingDuration: 1_800, absoluteDuration: null };
  const session = { status: "signed-in", user: ada, times, stale: false } as const;
  render(
    <SignInTestProvider session={session} now={1_500}>
      <Reader />
    </SignInTestProvider>,
  );
  expect(last()).toMatchObject({ now: 1_500, remaining: 500 });
});
