import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import type { Browser } from "../browser/browser.ts";
import { jarOf } from "../browser/cookie-jar.ts";
import { ownTime } from "../own-time.ts";
import { signIn, startLogin } from "./attempt.ts";
import { startHostileWorld } from "./hostile-world.ts";

const world = await startHostileWorld();

/** How long somebody who is signed in waits for their profile, a hundred times. */
async function timesOfMe(visitor: Browser): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let count = 0; count < 100; count += 1) {
    const start = ownTime();
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await visitor.request("/api/auth/me")).status).toBe(200);
    waits.push(ownTime() - start);
    // oxlint-disable-next-line no-await-in-loop -- see above
    await sleep(15);
  }
  return waits.toSorted((one, other) => one - other);
}

const median = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0;

test("of 200 callbacks at a token endpoint that never responds 64 end after the five seconds of the time limit, the others within a second, and other requests are not slowed down [REL-F01, OP-046, OP-049]", async () => {
  world.setUp();
  const { browser: visitor } = await signIn(world);
  const before = await timesOfMe(visitor);
  const returned = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const browser = world.browser();
      const { location } = await startLogin(world, browser);
      return { browser, request: await world.provider.visit(location) };
    }),
  );
  world.provider.resetLog();
  world.provider.behave("REL-F01/hang/token");
  const started = { byClock: performance.now(), ownTime: ownTime() };
  const callbacks = returned.map(async ({ browser, request }) => {
    const { status } = await browser.request(request?.url ?? "");
    const after = ownTime() - started.ownTime;
    const byClock = performance.now() - started.byClock;
    return { status, after, byClock, jar: jarOf(await browser.cookies()) };
  });
  // By then the others have been told that the provider is busy.
  await sleep(1500);
  const during = await timesOfMe(visitor);
  const answers = await Promise.all(callbacks);
  // A second deadline after the first would be ten seconds.
  const hung = answers.filter(({ status }) => status === 500);
  const busy = answers.filter(({ status }) => status === 503);
  expect([hung.length, busy.length]).toEqual([64, 136]);
  expect(Math.min(...hung.map(({ byClock }) => byClock))).toBeGreaterThan(4900);
  expect(Math.max(...hung.map(({ after }) => after))).toBeLessThan(9500);
  expect(Math.max(...busy.map(({ after }) => after))).toBeLessThan(4500);
  expect(answers.filter(({ jar }) => Object.keys(jar).length > 0)).toEqual([]);
  // Measured no difference.
  expect(median(during)).toBeLessThan(2 * median(before) + 5);
  expect(world.provider.requestsTo("token")).toHaveLength(64);
});
