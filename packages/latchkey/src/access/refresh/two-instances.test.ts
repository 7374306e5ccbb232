import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { askWith } from "../../../test/handle-request.ts";
import type { Jar } from "../../../test/browser/cookie-jar.ts";
import {
  chanceOf,
  failed,
  lasts,
  token,
  twoInstances as world,
} from "../../../test/refresh/two-instances.ts";
import { watchedStore } from "../../../test/watched-store.ts";
import type { Options } from "../../auth.ts";
import type { Store } from "../../stores/store.ts";
import type { RequestAuth } from "../request-auth.ts";

/** Whoever waits waits no longer than it takes the others to have nothing left to do. */
function jumpingTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.setTimerTickMode("nextTimerAsync");
}
afterEach(() => void vi.useRealTimers());

const look = ({ session }: RequestAuth) => session?.accessToken;
const tokenNumber = (made: unknown) => Number(String(made).split(".")[2]);

describe("a browser that has missed a refresh", () => {
  test("is given the newer tokens by its next read, at any instance, hours later too [OP-006, OP-009]", async () => {
    const { one, other, jar, family, advance, told } = await world();
    expect(tokenNumber((await askWith(one, jar, token)).made)).toBe(1);
    advance(3 * 3600);
    const read = await askWith(other, jar, look);
    expect(tokenNumber(read.made)).toBe(1);
    expect(told("refresh-healed")).toHaveLength(1);
    expect(tokenNumber((await askWith(one, read.next, token)).made)).toBe(2);
    expect(family).toMatchObject({ uses: [1, 1], isRevoked: false });
  });

  test("is led over several refreshes, over four by each request", async () => {
    const { one, other, jar, family, advance } = await world();
    let next: Jar = jar;
    for (let count = 0; count < 6; count += 1) {
      advance(5);
      ({ next } = await askWith(one, next, (here) => here.accessToken({ refresh: true })));
    }
    const read = await askWith(other, jar, look);
    expect(tokenNumber(read.made)).toBe(4);
    expect(tokenNumber((await askWith(other, read.next, look)).made)).toBe(6);
    expect(family.uses).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test.each([
    [86_300, 1],
    [86_500, 0],
  ])("is given them for the session's idle time: after %i s there are %i", async (s, count) => {
    const { one, jar, advance, store } = await world();
    await askWith(one, jar, token);
    advance(s);
    expect(store.list("refresh|")).toHaveLength(count);
  });

  test.each([
    ["done", 119],
    ["seen", 120],
  ])("may come with older tokens: what brought newer ones is %s after %i s", async (state, s) => {
    const { one, other, jar, advance, store } = await world();
    const { next } = await askWith(one, jar, token);
    advance(s);
    const read = await askWith(other, next, look);
    const texts = await store.get(store.list("refresh|"));
    expect(texts).toEqual([expect.stringMatching(new RegExp(`^${state} `))]);
    advance(600);
    await askWith(other, read.next, look);
    expect(store.list("refresh|")).toHaveLength(state === "seen" ? 0 : 1);
  });

  test("shares the tokens that a late request still asks for, and nothing is spent for it", async () => {
    const { one, other, jar, family, advance } = await world();
    await askWith(one, jar, token);
    advance(lasts - 20);
    expect(tokenNumber((await askWith(other, jar, token)).made)).toBe(1);
    expect(family.uses).toEqual([1]);
  });

  test("keeps the tokens that it has where the hook of the app fails, and a warning tells that", async () => {
    let isBroken = false;
    const afterRefresh = <T>(session: T): T => {
      if (isBroken) throw new Error("the hook is broken");
      return session;
    };
    const { one, other, jar, told } = await world({ settings: { hooks: { afterRefresh } } });
    await askWith(one, jar, token);
    isBroken = true;
    expect((await askWith(other, jar, look)).made).toBe("at.1.0");
    expect(told("warning")).toMatchObject([
      { message: "A session is not healed: Error: the hook is broken" },
    ]);
    expect(told("refresh-healed")).toEqual([]);
  });

  test("costs no renewal of its cookie where nothing was missed", async () => {
    const { one, jar } = await world({ settings: { session: { renewAfter: 3600 } } });
    const { response } = await askWith(one, jar, look);
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

describe("a provider whose answers are lost", () => {
  test.each([
    [10_000, "renewed", [2]],
    [0, "refused", [2]],
  ] as const)(
    "gets the token once more, and with a grace of %i ms the refresh is %s",
    async (graceMs, outcome, uses) => {
      const { one, jar, family, fates, outcomes } = await world({ graceMs });
      fates.push("lost");
      const { made, next } = await askWith(one, jar, token);
      expect(made).toBe(graceMs === 0 ? "ERR_FAILED_REFRESH_GRANT" : `at.1.${family.newest}`);
      expect([outcomes(), family.uses]).toEqual([[outcome], uses]);
      expect((await askWith(one, next, ({ user }) => user?.sub)).made).toBe("ada");
    },
  );

  test("is left alone for a while where it is down, and the token at hand is used [OP-007]", async () => {
    // The longest wait: two seconds.
    const random = chanceOf(255);
    const { one, jar, family, fates, told, advance } = await world({ settings: { random } });
    fates.push("down");
    for (let count = 0; count < 20; count += 1) {
      expect((await askWith(one, jar, token)).made).toBe("at.1.0");
    }
    expect(told("provider-fault")).toHaveLength(1);
    expect(family.uses).toEqual([]);
    advance(60);
    const { response } = await askWith(one, jar, (here) => here.accessToken());
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    fates.length = 0;
    expect(tokenNumber((await askWith(one, jar, token)).made)).toBe(1);
  });
});

describe("the head of a response that leaves before a refresh ends", () => {
  test("costs the browser nothing: a warning tells it, and the next request brings the tokens [OP-003]", async () => {
    const { one, other, jar, told, family } = await world();
    let refreshing: Promise<unknown> = Promise.resolve();
    const early = await askWith(one, jar, (here) => {
      refreshing = token(here);
    });
    expect(tokenNumber(await refreshing)).toBe(1);
    expect(told("warning")).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("next request") as string }),
    );
    expect(tokenNumber((await askWith(other, early.next, look)).made)).toBe(1);
    expect(family.uses).toEqual([1]);
  });

  test.each([
    ["with a store", {}, "at.1.1", [1]],
    ["without a store, which alone could keep it", { store: undefined }, "ERR_HEADERS_SENT", []],
  ] as const)("spends a token %s", async (_, settings, made, uses) => {
    const { one, jar, family } = await world({ settings });
    let late: RequestAuth | undefined;
    await askWith(one, jar, (here) => {
      late = here;
      return look(here);
    });
    expect(late && (await token(late))).toBe(made);
    expect(family.uses).toEqual(uses);
  });
});

describe("a store that fails after the provider has answered", () => {
  test.each([true, false])(
    "costs the caller nothing, and gets the result when it answers; stateful: %s [OP-011]",
    async (stateful) => {
      let isDown = false;
      let hasBeenDown = false;
      const storeOf = (inner: Store): Store =>
        watchedStore(inner, (operation) => {
          if (operation === "settle") [isDown, hasBeenDown] = [isDown || !hasBeenDown, true];
          if (isDown && ["get", "swap", "settle"].includes(operation))
            throw new Error("the store is down");
        });
      const { one, other, jar, told, family, store } = await world({
        storeOf,
        settings: { session: { stateful } },
      });
      const { made } = await askWith(one, jar, token);
      expect(tokenNumber(made)).toBe(1);
      expect(told("refusal")).toEqual([]);
      expect(told("store-fault").length).toBeGreaterThan(0);
      expect(family).toMatchObject({ uses: [1], isRevoked: false });
      isDown = false;
      const kept = () => store.get(store.list("refresh|"));
      await expect.poll(kept).toEqual([expect.stringMatching(/^(?:done|seen) /)]);
      await expect.poll(async () => (await askWith(other, jar, look)).made).toBe(made);
    },
  );
});

describe("a store that cannot be asked for the lease of a token", () => {
  beforeEach(jumpingTimers);

  /** Fails for the first few leases; the provider takes its time, so that requests come together. */
  async function worldWithout(leases: number, session: Options["session"]) {
    let left = leases;
    const storeOf = (store: Store): Store => ({
      ...store,
      lease(...words) {
        left -= 1;
        if (left >= 0) throw failed("ECONNRESET");
        return store.lease(...words);
      },
    });
    const beforeAnswer = () => new Promise((resolve) => setTimeout(resolve, 100));
    const made = await world({ settings: { session }, storeOf, beforeAnswer });
    // The token at hand has expired.
    made.advance(60);
    return made;
  }

  test.each([true, false])(
    "for a moment is asked again: the token is spent once, and both instances get what it brings; stateful: %s",
    async (stateful) => {
      const { one, other, jar, family } = await worldWithout(1, { stateful });
      const both = await Promise.all([askWith(one, jar, token), askWith(other, jar, token)]);
      expect(both.map(({ made }) => tokenNumber(made))).toEqual([1, 1]);
      expect(family).toMatchObject({ uses: [1], isRevoked: false });
    },
  );

  const serving = { session: { whenStoreIsDown: "serve" }, instances: 2 } as const;
  const alone = { session: { stateful: true }, instances: 1 };
  test.each([
    ["keeps the token unspent while it answers and takes no writes", serving, 503, []],
    ["keeps a token unspent that lies in it", alone, 503, []],
    ["costs an app of one process no refresh", { instances: 1 }, 200, [1]],
  ] as const)("%s", async (_, settings, status, uses) => {
    const readOnly = new Error("read only");
    const storeOf = (store: Store): Store => ({
      ...store,
      lease: () => Promise.reject(readOnly),
      faultOf: (error) => (error === readOnly ? "read-only" : undefined),
    });
    const { one, jar, family, advance } = await world({ settings, storeOf });
    advance(60);
    const { response } = await askWith(one, jar, (here) => here.accessToken());
    expect([response.status, family.uses]).toEqual([status, uses]);
  });
});
