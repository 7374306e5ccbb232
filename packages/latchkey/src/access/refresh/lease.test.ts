import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { askWith } from "../../../test/handle-request.ts";
import {
  chanceOf,
  failed,
  type OnCall,
  leasedToOthers,
  tokenInWords as token,
  twoInstances,
} from "../../../test/refresh/two-instances.ts";
import { watchedStore } from "../../../test/watched-store.ts";
import { leaseText, type Store } from "../../stores/store.ts";

/** Time passes where somebody waits for it, or where a test lets it. */
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

/** A store whose first lease is told to whoever asks for it, or not: granted or not. */
const leasing =
  (first: "told" | "granted, not told" | "not granted") =>
  (store: Store): Store => {
    let isFirst = true;
    return {
      ...store,
      lease(...words) {
        if (!isFirst || first === "told") return store.lease(...words);
        isFirst = false;
        if (first === "granted, not told") void store.lease(...words);
        throw failed("ECONNRESET");
      },
    };
  };

/** The process is stopped for so long after it has asked for the metadata: shortly before the token is sent. */
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

test.each([
  ["told", 7999, "at.2.1", [1]],
  ["told", 8001, underWay, []],
  // 20 ms pass before it is asked for again: they count where the first lease was granted.
  ["granted, not told", 7990, underWay, []],
  ["not granted", 7990, "at.2.1", [1]],
] as const)(
  "no token is sent under a lease of 13 s, %s, where a stop of %i ms leaves no time for a call",
  async (first, ms, made, uses) => {
    const onCall = stoppedBeforeSending(ms);
    const settings = { random: chanceOf(127) };
    const world = await twoInstances({ storeOf: leasing(first), onCall, settings });
    const { jar, family } = await world.signIn(-5);
    expect((await askWith(world.one, jar, token)).made).toEqual(made);
    expect(family.uses).toEqual(uses);
    expect(world.store.list("refresh|")).toHaveLength(uses.length);
  },
);

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
  ["does not, where it was stopped so long that the lease might be over", 8001, [1]],
])("whoever gets no answer for a token %s", async (_, ms, uses) => {
  const onCall = whenLost(() => stopFor(ms));
  const { one, jar, fates, family } = await twoInstances({ onCall, graceMs: 10_000 });
  fates.push("lost");
  await askWith(one, jar, token);
  expect(family.uses).toEqual(uses);
});

test.each([false, true])(
  "a process whose answer was lost, and that was stopped for longer than its lease, goes on with what others have got; stateful: %s",
  async (stateful) => {
    const onCall = whenLost(() => {
      stopFor(14_000);
      return askWith(other, jar, token);
    });
    const settings = { session: { stateful } };
    const world = await twoInstances({ onCall, settings, graceMs: 60_000 });
    const { one, other, signIn, fates } = world;
    const { jar, family } = await signIn(-5);
    fates.push("lost");
    expect((await askWith(one, jar, token)).made).toBe("at.2.1");
    expect(family.uses).toEqual([2]);
  },
);

test("a lease that was lost, and that nobody else has, is taken anew for the result", async () => {
  const lose = async () => store.list("refresh|").map(store.delete);
  const { one, jar, store, told } = await twoInstances({ beforeAnswer: lose });
  expect((await askWith(one, jar, token)).made).toBe("at.1.1");
  expect(told("lease-lost")).toHaveLength(1);
  expect(await store.get(store.list("refresh|"))).toEqual([expect.stringMatching(/^done /)]);
});

test("where two have spent a token within the grace, the last who had the lease decides which result counts", async () => {
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
  const { one, other, jar, store } = await twoInstances({ onCall, graceMs: 10_000 });
  async function takeOver() {
    for (const key of store.list("refresh|")) await store.delete(key);
    expect((await askWith(other, jar, token)).made).toBe("answer 2");
  }
  expect((await askWith(one, jar, token)).made).toBe("answer 2");
});

test("a process that was stopped for longer than all pauses finds what others have done meanwhile", async () => {
  let others: () => Promise<unknown> = async () => undefined;
  let isLate = false;
  const storeOf = (store: Store): Store => ({
    ...store,
    async lease(...words) {
      const former = others;
      others = async () => undefined;
      if ((await former()) === undefined) return store.lease(...words);
      isLate = true;
      return false;
    },
    get(keys) {
      const isAnswerFromBefore = isLate && keys.some((key) => key.startsWith("refresh|"));
      if (!isAnswerFromBefore) return store.get(keys);
      isLate = false;
      stopFor(7000);
      return keys.map(() => leaseText("another"));
    },
  });
  const { one, other, signIn, outcomes } = await twoInstances({ storeOf });
  const { jar } = await signIn(-5);
  others = () => askWith(other, jar, token);
  expect((await askWith(one, jar, token)).made).toMatch(/^at\.2\.1/);
  expect(outcomes()).toEqual(["renewed", "waited"]);
});

test.each([
  ["is used without a wait while it is good for more than ten seconds", 50, 0],
  ["is used after six seconds while it is good at all", 9, 6000],
])("a token that somebody else refreshes %s", async (_, left, waitMs) => {
  const { one, signIn, outcomes, told } = await twoInstances({ storeOf: leasedToOthers });
  const { jar } = await signIn(left);
  expect((await askWith(one, jar, token)).made).toBe("at.2.0");
  expect(outcomes()).toEqual(["in-hand"]);
  const [event] = told("refresh");
  expect(event).toHaveProperty("durationMs", expect.closeTo(waitMs, -3));
});

test("a request that waits for another one shares what that gets", async () => {
  const beforeAnswer = () => new Promise((resolve) => setTimeout(resolve, 100));
  const { one, other, signIn, outcomes } = await twoInstances({ beforeAnswer });
  const { jar, family } = await signIn(-5);
  const both = await Promise.all([askWith(one, jar, token), askWith(other, jar, token)]);
  expect(both.map(({ made }) => made)).toEqual(["at.2.1", "at.2.1"]);
  expect([family.uses, outcomes()]).toEqual([[1], ["renewed", "waited"]]);
});

test("a refresh that others take too long for is told as one, and may be repeated", async () => {
  const { one, signIn, ends } = await twoInstances({ storeOf: leasedToOthers });
  const { jar, family } = await signIn(-5);
  expect((await askWith(one, jar, token)).made).toEqual(underWay);
  const { response } = await askWith(one, jar, (here) => here.accessToken());
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(family.uses).toEqual([]);
  expect(ends.at(-1)).toEqual({ outcome: "transient", reason: "refresh_unavailable", status: 503 });
});

test("a store that takes no leases costs nobody the token at hand, while that is good", async () => {
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

test.each([
  ["that is known to be down", ["get", "lease"], 0],
  ["that fails", ["lease", "settle"], 1000],
] as const)(
  "without a store %s the requests of a process spend a token once, where the settings allow it",
  async (_, operations, waitMs) => {
    let isDown = false;
    const storeOf = (store: Store): Store =>
      watchedStore(store, (operation) => {
        if (isDown && operations.some((each) => each === operation)) throw failed("ECONNRESET");
      });
    const settings = { session: { whenStoreIsDown: "serve" } } as const;
    const beforeAnswer = () => new Promise((resolve) => setTimeout(resolve, 100));
    const { one, signIn, told } = await twoInstances({ storeOf, settings, beforeAnswer });
    const { jar, family } = await signIn(-5);
    isDown = true;
    // After five of them the store counts as down.
    for (let count = 0; count < 5; count += 1) await askWith(one, jar, ({ user }) => user?.sub);
    const both = await Promise.all([askWith(one, jar, token), askWith(one, jar, token)]);
    expect(both.map(({ made }) => made)).toEqual(["at.2.1", "at.2.1"]);
    expect(family.uses).toEqual([1]);
    const [event] = told("refresh");
    // Time also passes where the machine is slow: other timers run meanwhile.
    const waited = (ms: number) => ms >= waitMs + 100 && ms < waitMs + 1000;
    expect(event).toHaveProperty("durationMs", expect.toSatisfy(waited));
  },
);

test("of many refreshes at a time 32 are under way, and the others wait for their turn", async () => {
  const running = { now: 0, atMost: 0 };
  async function beforeAnswer() {
    running.now += 1;
    running.atMost = Math.max(running.atMost, running.now);
    await new Promise((resolve) => setTimeout(resolve, 100));
    running.now -= 1;
  }
  const { one, signIn } = await twoInstances({ beforeAnswer });
  const people = await Promise.all(Array.from({ length: 40 }, () => signIn(-5)));
  const asked = await Promise.all(people.map(({ jar }) => askWith(one, jar, token)));
  expect(asked.filter(({ made }) => made?.startsWith("at."))).toHaveLength(40);
  expect(running.atMost).toBe(32);
});

test.each([
  ["some wait while their tokens are good", 50, { atLeast: 1, atMost: 29 }],
  ["nobody waits who has been due for twenty seconds", 39, { atLeast: 30, atMost: 30 }],
])("of a crowd whose tokens end together, %s", async (_, left, { atLeast, atMost }) => {
  const { one, signIn, outcomes } = await twoInstances();
  const first = await Promise.all(Array.from({ length: 32 }, () => signIn(-5)));
  await Promise.all(first.map(({ jar }) => askWith(one, jar, token)));
  const crowd = await Promise.all(Array.from({ length: 30 }, () => signIn(left)));
  await Promise.all(crowd.map(({ jar }) => askWith(one, jar, token)));
  const renewed = outcomes().filter((outcome) => outcome === "renewed").length - first.length;
  expect(renewed).toBeGreaterThanOrEqual(atLeast);
  expect(renewed).toBeLessThanOrEqual(atMost);
});
