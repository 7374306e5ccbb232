// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { useLayoutEffect, type ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { SignInTestProvider, useSession, type SignIn, type SessionInHand } from "../index.ts";
import { leaveNothing, show } from "../support/render.support.tsx";
import { ada } from "../support/server.support.ts";

afterEach(leaveNothing);

let session: SessionInHand;

function Reader({ onRead = read }: { onRead?: (session: SessionInHand) => void }): ReactNode {
  const found = useSession();
  useLayoutEffect(() => onRead(found));
  return null;
}

function read(found: SessionInHand): void {
  session = found;
}

test("gives the times and what is left by the server's clock, ever finer", async () => {
  const { pass } = show(<Reader />, { before: ({ server }) => (server.rolling = 1_800) });
  expect(session.times).toMatchObject({ rollingDuration: 1_800, absoluteDuration: 604_800 });
  expect(session.remaining).toBe(1_800);
  await pass(29_000);
  expect(session.remaining).toBe(1_800);
  await pass(1_000);
  expect(session.remaining).toBe(1_770);
  await pass(1_720_100);
  expect(session.remaining).toBe(50);
  await pass(1_000);
  expect(session.remaining).toBe(49);
});

test("extends, and says whether it did", async () => {
  const { world, pass, run } = show(<Reader />);
  await pass(30_000);
  await run(async () => expect(await session.extend()).toBe(true));
  expect(session.remaining).toBe(86_400);
  world.server.fault = () => "offline";
  await run(async () => expect(await session.extend()).toBe(false));
});

test("signs out by posting to the logout route, and tells the other tabs", async () => {
  const { tab, world, pass } = show(<Reader />);
  const other = world.open(world.server.seed());
  session.signOut();
  world.server.session = null;
  expect(tab.posted).toEqual(["/api/auth/logout"]);
  await pass(2_000);
  expect(other.client.getSnapshot().status).toBe("signed-out");
  other.close();
});

test.each<SignIn>([
  { status: "loading", user: null },
  { status: "signed-out", user: null },
  { status: "ended", user: null, reason: "max-age" },
])("gives no times when the status is $status", (value) => {
  render(
    <SignInTestProvider value={value}>
      <Reader />
    </SignInTestProvider>,
  );
  expect(session).toMatchObject({ times: null, remaining: null });
});

test("in a component test nothing is asked, and what is called is told", async () => {
  const [onExtend, onSignOut] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const ends = { rollingEndsAt: 2_000, absoluteEndsAt: null, endsAt: 2_000 };
  const times = { ...ends, rollingDuration: 1_800, absoluteDuration: null };
  render(
    <SignInTestProvider
      value={{ status: "signed-in", user: ada, session: times, stale: false }}
      now={1_500}
      onExtend={onExtend}
      onSignOut={onSignOut}
    >
      <Reader />
    </SignInTestProvider>,
  );
  expect(session.remaining).toBe(500);
  expect(await session.extend()).toBe(true);
  session.signOut();
  expect([onExtend, onSignOut].map((call) => call.mock.calls.length)).toEqual([1, 1]);
});
