import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { SessionResult } from "../session/read-session.ts";
import { onSessionEnd } from "./on-session-end.ts";

const began = 1_800_000_000;

beforeEach(() => void vi.useFakeTimers({ now: began * 1000 }));
afterEach(() => void vi.useRealTimers());

/** A session that lasts so many seconds, without a store. */
async function listenTo(seconds: number, read = () => Promise.resolve(active(seconds))) {
  const listener = vi.fn<() => void>();
  const forget = await onSessionEnd({ clock: Date.now, ended: null }, { read }, listener);
  return { listener, forget };
}

function active(seconds: number): SessionResult {
  const header = {
    uat: began,
    iat: began,
    exp: began + seconds,
    id: "one",
    subTag: "user",
    issuer: "https://op.example",
    client: "client",
  };
  return { state: "active", stored: { header, data: { user: { sub: "ada" } }, record: null } };
}

test("a session ends by its time", async () => {
  const { listener } = await listenTo(60);
  vi.advanceTimersByTime(59_999);
  expect(listener).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(listener).toHaveBeenCalledOnce();
});

test("an end beyond the range of timers is not reported early", async () => {
  const { listener } = await listenTo(100 * 86_400);
  vi.advanceTimersByTime(86_400_000);
  expect(listener).not.toHaveBeenCalled();
});

test("a listener gone by then is not called", async () => {
  const { listener, forget } = await listenTo(60);
  forget();
  vi.advanceTimersByTime(60_000);
  expect(listener).not.toHaveBeenCalled();
});

test.each<[string, () => Promise<SessionResult>]>([
  ["there is none", () => Promise.resolve({ state: "none" })],
  ["the store does not answer", () => Promise.reject(new Error("no store"))],
])("no end is reported if %s", async (_, read) => {
  const { listener } = await listenTo(60, read);
  vi.advanceTimersByTime(86_400_000);
  expect(listener).not.toHaveBeenCalled();
});
