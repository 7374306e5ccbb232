// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { useLayoutEffect, type ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import {
  SignInTestProvider,
  useSessionTimes,
  type SessionState,
  type UseSessionTimesResult,
} from "../index.ts";
import { leaveNothing, show } from "../support/render.support.tsx";
import { ada } from "../support/server.support.ts";

afterEach(leaveNothing);

let result: UseSessionTimesResult;

function Reader({ onRead = read }: { onRead?: typeof read }): ReactNode {
  const current = useSessionTimes();
  useLayoutEffect(() => onRead(current));
  return null;
}

function read(current: UseSessionTimesResult): void {
  result = current;
}

test("the remaining time ticks every 30 seconds, and every second in the last minute", async () => {
  const { pass } = show(<Reader />, { before: ({ server }) => (server.rolling = 1_800) });
  expect(result.times).toMatchObject({ rollingDuration: 1_800, absoluteDuration: 604_800 });
  expect(result.remaining).toBe(1_800);
  await pass(29_000);
  expect(result.remaining).toBe(1_800);
  await pass(1_000);
  expect(result.remaining).toBe(1_770);
  await pass(1_720_100);
  expect(result.remaining).toBe(50);
  await pass(1_000);
  expect(result.remaining).toBe(49);
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
  expect(result).toMatchObject({ times: null, remaining: null });
});

test("in a component test the clock stands still at the given time", () => {
  const ends = { rollingEndsAt: 2_000, absoluteEndsAt: null, endsAt: 2_000 };
  const times = { ...ends, rollingDuration: 1_800, absoluteDuration: null };
  render(
    <SignInTestProvider
      session={{ status: "signed-in", user: ada, times, stale: false }}
      now={1_500}
    >
      <Reader />
    </SignInTestProvider>,
  );
  expect(result).toMatchObject({ now: 1_500, remaining: 500 });
});
