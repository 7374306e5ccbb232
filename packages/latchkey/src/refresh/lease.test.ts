import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { askWith } from "../../test/handle-request.ts";
import {
  failed,
  type OnCall,
  leasedToOthers,
  tokenInWords as token,
  twoInstances,
} from "../../test/refresh/two-instances.ts";
import type { Store } from "../stores/store.ts";

/** Time passes when a request waits, or when a test lets it. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  // The process has been there for a while.
  stopFor(10_000);
});
afterEach(() => void vi.useRealTimers());

/** As if the process were stopped for so long. */
function stopFor(ms: number): void {
  vi.setTimerTickMode("manual");
  vi.advanceTimersByTime(ms);
  vi.setTimerTickMode("nextTimerAsync");
}

function failingOnce(store: Store): Store {
  let isFirst = true;
  return {
    ...store,
    lease(...words) {
      if (!isFirst) return store.lease(...words);
      isFirst = false;
      throw failed("ECONNRESET");
    },
  };
}

/**
 * The process is stopped for so long after its request for the metadata: shortly before the token
 * is sent.
 */
function stoppedBeforeSending(ms: number): OnCall {
  let isFirst = true;
  return async (_input, send) => {
    const response = await send();
    if (isFirst) stopFor(ms);
    isFirst = false;
    return response;
  };
}

const underWay = expect.stringMatching(
  /^ERR_REFRESH_UNDER_WAY: .* another request is still refreshing it/,
) as string;

describe("a lease lasts 13 s, of which a call may need 5 s: a token", () => {
  async function stoppedFor(ms: number) {
    const leases: string[] = [];
    const storeOf = (store: Store): Store => ({
      ...store,
      lease: (key, ...words) => (leases.push(key), store.lease(key, ...words)),
    });
    const world = await twoInstances({ storeOf, onCall: stoppedBeforeSending(ms) });
    const { jar, family } = await world.signIn(-5);
    const ask = async () => (await askWith(world.one, jar, token)).made;
    return { ...world, family, ask, leases };
  }

  test("is sent under it after a stop of 7999 ms, and nothing of the lease stays", async () => {
    const { ask, family, leases, store } = await stoppedFor(7999);
    expect([await ask(), family.uses, leases.length]).toEqual(["at.2.1", [1], 1]);
    expect(store.list("refresh|")).toEqual([]);
  });

  test("is sent under the next one after a stop of 8001 ms, by a later request", async () => {
    const { ask, family, leases } = await stoppedFor(8001);
    expect([await ask(), family.uses]).toEqual([underWay, []]);
    expect([await ask(), family.uses, leases.length]).toEqual(["at.2.1", [1], 2]);
  });
});

test("a store failing at the lease for a moment is tried again", async () => {
  const { one, signIn } = await twoInstances({ storeOf: failingOnce });
  const { jar, family } = await signIn(-5);
  expect([(await askWith(one, jar, token)).made, family.uses]).toEqual(["at.2.1", [1]]);
});

/** A store that leases, and whose answers to so many leases are lost. */
function losingAnswers(count: number, { losesReleases = false } = {}) {
  let [lost, releases] = [0, 0];
  return (store: Store): Store => ({
    ...store,
    async lease(...words) {
      const isLeased = await store.lease(...words);
      lost += 1;
      if (lost <= count) throw failed("ECONNRESET");
      return isLeased;
    },
    async release(...words) {
      releases += 1;
      if (losesReleases && releases === 1) throw failed("ECONNRESET");
      return store.release(...words);
    },
  });
}

describe("a lease whose answer was lost", () => {
  test("is found by the next try of the same request, which sends the token once", async () => {
    const { one, signIn, store } = await twoInstances({ storeOf: losingAnswers(1) });
    const { jar, family } = await signIn(-5);
    const begun = performance.now();
    expect([(await askWith(one, jar, token)).made, family.uses]).toEqual(["at.2.1", [1]]);
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(store.list("refresh|")).toEqual([]);
  });

  test.each([false, true])(
    "locks no other request out if its own gives up (release lost, too: %s)",
    async (losesReleases) => {
      const storeOf = losingAnswers(1000, { losesReleases });
      const { one, other, signIn, store } = await twoInstances({ storeOf });
      const { jar, family } = await signIn(-5);
      expect((await askWith(one, jar, token)).made).toMatch(/^ERR_STORE_UNAVAILABLE/);
      await vi.waitFor(() => expect(store.list("refresh|")).toEqual([]));
      expect([family.uses, await askWith(other, jar, (here) => here.user?.sub)]).toMatchObject([
        [],
        { made: "ada" },
      ]);
    },
  );
});

/** Something that happens when the answer of the token endpoint is lost. */
function whenLost(happens: () => unknown): OnCall {
  return async (input, send) => {
    const answer = send();
    if (input.endsWith("/token")) await answer.catch(happens);
    return answer;
  };
}

test.each([
  ["sends it once more", 0, [2]],
  ["does not after a stop for so long that the lease may be over", 8001, [1]],
])("a process that gets no answer for a token %s", async (_, ms, uses) => {
  const onCall = whenLost(() => stopFor(ms));
  const { one, jar, fates, family } = await twoInstances({ onCall, graceMs: 10_000 });
  fates.push("lost");
  await askWith(one, jar, token);
  expect(family.uses).toEqual(uses);
});

test("a process whose answer was lost, and stopped for longer than its lease, uses what another one got", async () => {
  const onCall = whenLost(() => {
    stopFor(14_000);
    return askWith(other, jar, token);
  });
  const world = await twoInstances({ onCall, graceMs: 60_000 });
  const { one, other, signIn, fates } = world;
  const { jar, family } = await signIn(-5);
  fates.push("lost");
  expect((await askWith(one, jar, token)).made).toBe("at.2.1");
  expect(family.uses).toEqual([2]);
  expect(world.outcomes()).toEqual(["renewed", "shared"]);
});

test("if two instances send a token within the grace, the result saved first counts", async () => {
  let count = 0;
  /** Names each answer, as a provider does that gives new tokens for a second use. */
  const onCall: OnCall = async (input, send) => {
    if (!input.endsWith("/token")) return send();
    count += 1;
    const access_token = `answer ${count}`;
    if (count === 1) await takeOver();
    const body = (await (await send()).json()) as object;
    return Response.json({ ...body, access_token });
  };
  const { one, other, jar, store, told } = await twoInstances({ onCall, graceMs: 10_000 });
  async function takeOver() {
    for (const key of store.list("refresh|")) await store.delete(key);
    expect((await askWith(other, jar, token)).made).toBe("answer 2");
  }
  expect((await askWith(one, jar, token)).made).toBe("answer 2");
  expect(told("lease-lost")).toHaveLength(1);
});

test.each([
  ["is used without a wait while it is good for more than ten seconds", 50, 0],
  ["is used after six seconds while it is good at all", 9, 6000],
])("a token that another instance refreshes %s", async (_, left, waitMs) => {
  const { one, signIn, outcomes, told } = await twoInstances({ storeOf: leasedToOthers });
  const { jar } = await signIn(left);
  expect((await askWith(one, jar, token)).made).toBe("at.2.0");
  expect(outcomes()).toEqual(["in-hand"]);
  const [event] = told("refresh");
  expect(event).toHaveProperty("durationMs", expect.closeTo(waitMs, -3));
});

test("a request that waits for another one shares its result", async () => {
  const beforeAnswer = () => new Promise((resolve) => setTimeout(resolve, 100));
  const { one, other, signIn, outcomes } = await twoInstances({ beforeAnswer });
  const { jar, family } = await signIn(-5);
  const both = await Promise.all([askWith(one, jar, token), askWith(other, jar, token)]);
  expect(both.map(({ made }) => made)).toEqual(["at.2.1", "at.2.1"]);
  expect([family.uses, outcomes()]).toEqual([[1], ["renewed", "waited"]]);
});

test("a process stopped for longer than it waits for another one uses what that got", async () => {
  let isWaiting = false;
  let isFirst = true;
  const storeOf = (store: Store): Store => ({
    ...store,
    async lease(...words) {
      if (!isFirst) return store.lease(...words);
      [isFirst, isWaiting] = [false, true];
      return false;
    },
    async get(keys) {
      const found = await store.get(keys);
      if (!isWaiting) return found;
      isWaiting = false;
      await askWith(other, jar, token);
      stopFor(6000);
      return found;
    },
  });
  const { one, other, signIn, outcomes } = await twoInstances({ storeOf });
  const { jar } = await signIn(-5);
  expect((await askWith(one, jar, token)).made).toBe("at.2.1");
  expect(outcomes()).toEqual(["renewed", "waited"]);
});

test("a refresh that takes another instance too long fails, and may be repeated", async () => {
  const { one, signIn, ends } = await twoInstances({ storeOf: leasedToOthers });
  const { jar, family } = await signIn(-5);
  expect((await askWith(one, jar, token)).made).toEqual(underWay);
  const { response } = await askWith(one, jar, (here) => here.accessToken());
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(family.uses).toEqual([]);
  expect(ends.at(-1)).toEqual({ outcome: "transient", reason: "refresh_unavailable", status: 503 });
});

test("a store that takes no leases leaves the token at hand in use while it is good", async () => {
  const storeOf = (store: Store): Store => ({
    ...store,
    lease: () => Promise.reject(failed("ECONNRESET")),
  });
  const { one, signIn, outcomes, ends } = await twoInstances({ storeOf });
  const { jar } = await signIn(9);
  expect((await askWith(one, jar, token)).made).toBe("at.2.0");
  expect(outcomes()).toEqual(["in-hand"]);
  const expired = await signIn(-5);
  const { response } = await askWith(one, expired.jar, (here) => here.accessToken());
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(expired.family.uses).toEqual([]);
  expect(ends.at(-1)).toEqual({ outcome: "transient", reason: "store_unavailable", status: 503 });
});

test("a store that goes down at the lease keeps no request waiting", async () => {
  const refused = Object.assign(new Error("the store is down"), { code: "ECONNREFUSED" });
  let isDown = false;
  const storeOf = (store: Store): Store => ({
    ...store,
    add: (...words) => (isDown ? Promise.reject(refused) : store.add(...words)),
    lease() {
      isDown = true;
      return Promise.reject(refused);
    },
  });
  const { one, signIn } = await twoInstances({ storeOf });
  const { jar, family } = await signIn(-5);
  const begun = performance.now();
  expect((await askWith(one, jar, token)).made).toMatch(/^ERR_STORE_UNAVAILABLE/);
  expect(performance.now() - begun).toBeLessThan(1000);
  expect(family.uses).toEqual([]);
});

test.each([
  ["in the store", {}],
  ["in cookies", { store: undefined }],
])(
  "of many refreshes at a time, %s, 32 are under way, and the others wait for their turn",
  async (_, settings) => {
    const running = { now: 0, atMost: 0 };
    async function beforeAnswer() {
      running.now += 1;
      running.atMost = Math.max(running.atMost, running.now);
      await new Promise((resolve) => setTimeout(resolve, 100));
      running.now -= 1;
    }
    const { one, signIn } = await twoInstances({ beforeAnswer, settings });
    const people = await Promise.all(Array.from({ length: 40 }, () => signIn(-5)));
    const asked = await Promise.all(people.map(({ jar }) => askWith(one, jar, token)));
    expect(asked.filter(({ made }) => made?.startsWith("at."))).toHaveLength(40);
    expect(running.atMost).toBe(32);
  },
);

test("a record that another instance has leased takes no place from other refreshes", async () => {
  let isLeased = true;
  const storeOf = (store: Store): Store => ({
    ...store,
    lease: async (...words) => !isLeased && store.lease(...words),
  });
  const { one, signIn } = await twoInstances({ storeOf });
  const people = await Promise.all(Array.from({ length: 32 }, () => signIn(50)));
  const asked = await Promise.all(people.map(({ jar }) => askWith(one, jar, token)));
  expect(asked.map(({ made }) => made)).toEqual(people.map((_, index) => `at.${index + 2}.0`));
  isLeased = false;
  const { jar } = await signIn(-5);
  expect((await askWith(one, jar, token)).made).toBe("at.34.1");
});

test("a result which the store does not take yet keeps its lease: no other instance sends the spent token", async () => {
  let failures = 2;
  const storeOf = (store: Store): Store => ({
    ...store,
    async swap(...words) {
      failures -= 1;
      if (failures >= 0) throw failed("ECONNRESET");
      return store.swap(...words);
    },
  });
  const { one, other, signIn } = await twoInstances({
    storeOf,
    settings: { session: { stateful: true } },
  });
  const { jar, family } = await signIn(-5);
  expect((await askWith(one, jar, token)).made).toBe("at.2.1");
  expect((await askWith(other, jar, token)).made).toBe("at.2.1");
  expect(family.uses).toEqual([1]);
});
