import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import type { Options } from "../../../src/index.ts";
import type { Browser } from "../../browser/browser.ts";
import { type Jar, jarOf } from "../../browser/cookie-jar.ts";
import { ownTime } from "../../own-time.ts";
import { signIn, startLogin } from "../world/attempt.ts";
import { startHostileWorld } from "../world/hostile-world.ts";

const world = await startHostileWorld();

/**
 * Returns the usual response time of the profile for a signed-in user: the median of fifty
 * requests.
 */
async function timeOfMe(visitor: Browser): Promise<number> {
  const waits: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    const start = ownTime();
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await visitor.request("/api/auth/me")).status).toBe(200);
    waits.push(ownTime() - start);
    // oxlint-disable-next-line no-await-in-loop -- see above
    await sleep(15);
  }
  return waits.toSorted((one, other) => one - other)[25] ?? 0;
}

interface CallbackAnswer {
  readonly status: number;
  /** The cookies of the browser afterwards. */
  readonly jar: Jar;
}

/**
 * Sends this many browsers back from the provider. Each returned function requests its callback.
 */
function returned(count: number): Promise<readonly (() => Promise<CallbackAnswer>)[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const browser = world.browser();
      const { location } = await startLogin(world, browser);
      const request = await world.provider.visit(location);
      return async () => {
        const { status } = await browser.request(request?.url ?? "");
        return { status, jar: jarOf(await browser.cookies()) };
      };
    }),
  );
}

test('the app lets 64 of 200 callbacks wait at a hanging token endpoint, reports "busy" to the others within a second, and slows down no other request [REL-F01, OP-046, OP-049]', async () => {
  // The test ends the calls itself: under load, starting them takes longer than their time limit.
  const cut = new AbortController();
  const fetchUntilCut: Options["fetch"] = (input, init) =>
    fetch(input, { ...init, signal: cut.signal });
  world.setUp({ options: { fetch: fetchUntilCut } });
  const { browser: visitor } = await signIn(world);
  const before = await timeOfMe(visitor);
  const preparing = ownTime();
  const callbacks = await returned(200);
  const toPrepareMs = ownTime() - preparing;
  world.provider.resetLog();
  world.provider.behave("REL-F01/hang/token");
  const answers: (CallbackAnswer & { readonly afterMs: number })[] = [];
  const start = ownTime();
  const all = callbacks.map(async (callback) => {
    const answer = await callback();
    answers.push({ ...answer, afterMs: ownTime() - start });
  });
  await expect.poll(() => answers.length, { timeout: 60_000 }).toBe(136);
  expect(answers.every(({ status }) => status === 503)).toBe(true);
  // To refuse 136 costs less than to prepare 200, on any machine.
  expect(answers.at(-1)?.afterMs).toBeLessThan(1000 + toPrepareMs);
  const during = [await timeOfMe(visitor)];
  // Other work on the machine slows down single requests; a hanging provider would slow down each
  // one.
  while (Math.min(...during) > 2 * before + 5 && during.length < 5)
    during.push(await timeOfMe(visitor));
  expect(answers).toHaveLength(136);
  cut.abort();
  await Promise.all(all);
  expect(answers.slice(136).map(({ status }) => status)).toEqual(
    Array.from({ length: 64 }, () => 500),
  );
  expect(world.provider.requestsTo("token")).toHaveLength(64);
  expect(answers.filter(({ jar }) => Object.keys(jar).length > 0)).toEqual([]);
  const after = await timeOfMe(visitor);
  // Measured no difference.
  expect(Math.min(...during)).toBeLessThan(2 * Math.max(before, after) + 5);
});
