import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { jarOf } from "../../test/browser/cookie-jar.ts";
import { askWith } from "../../test/handle-request.ts";
import { goodSettings } from "../../test/settings.ts";
import {
  chanceOf,
  failed,
  token,
  twoInstances as world,
} from "../../test/refresh/two-instances.ts";
import { watchedStore } from "../../test/watched-store.ts";
import type { Store } from "../stores/store.ts";
import { signedInCookies } from "../testing/index.ts";
import type { RequestAuth } from "../host/request-auth.ts";

/** Timers jump ahead as soon as no other work is left. */
function jumpingTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.setTimerTickMode("nextTimerAsync");
}
afterEach(() => void vi.useRealTimers());

const look = ({ session }: RequestAuth) => session?.accessToken;
const tokenNumber = (made: unknown) => Number(String(made).split(".")[2]);

describe("a browser after a missed refresh", () => {
  test("has the newer tokens at its next request, at any instance, hours later too [OP-006, OP-009]", async () => {
    const { one, other, jar, family, advance } = await world();
    expect(tokenNumber((await askWith(one, jar, token)).made)).toBe(1);
    advance(3 * 3600);
    expect(tokenNumber((await askWith(other, jar, look)).made)).toBe(1);
    expect(tokenNumber((await askWith(one, jar, token)).made)).toBe(2);
    expect(family).toMatchObject({ uses: [1, 1], isRevoked: false });
  });

  test("costs no renewal of its cookie if it has missed nothing", async () => {
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

  test("is left alone for a while if it is down, and the token at hand is used [OP-007]", async () => {
    // The longest wait: two seconds.
    const random = chanceOf(255);
    const { one, jar, family, fates, told, advance } = await world({ settings: { random } });
    fates.push("down");
    for (let count = 0; count < 20; count += 1) {
      expect((await askWith(one, jar, token)).made).toBe("at.1.0");
    }
    expect(
      told("refresh").filter((each) => "reason" in each && each.reason !== undefined),
    ).toHaveLength(1);
    expect(family.uses).toEqual([]);
    advance(60);
    const { response } = await askWith(one, jar, (here) => here.accessToken());
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    fates.length = 0;
    expect(tokenNumber((await askWith(one, jar, token)).made)).toBe(1);
  });
});

test("a session in a cookie which belongs in the store moves there first: two instances send its token once", async () => {
  const { one, other, store, family } = await world();
  const tokens = { accessToken: "at.1.0", accessTokenExpiresAt: 1, refreshToken: "rt.1.0" };
  const options = { ...goodSettings, clock: () => Date.UTC(2026, 0, 1) };
  const session = { user: { sub: "ada" }, ...tokens };
  const jar = jarOf(await signedInCookies({ options, session }));
  const before = store.list("session|").length;
  const asked = await Promise.all([one, other].map((each) => askWith(each, jar, token)));
  expect(asked.map(({ made }) => made)).toEqual(["at.1.1", "at.1.1"]);
  expect(family.uses).toEqual([1]);
  expect(store.list("session|")).toHaveLength(before + 1);
});

describe("the head of a response that leaves before a refresh ends", () => {
  test("costs the browser nothing: the next request has the tokens [OP-003]", async () => {
    const { one, other, jar, family } = await world();
    let refreshing: Promise<unknown> = Promise.resolve();
    const early = await askWith(one, jar, (here) => {
      refreshing = token(here);
    });
    expect(tokenNumber(await refreshing)).toBe(1);
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

describe("a failing store after the provider has answered", () => {
  test.each([true, undefined])(
    "costs the caller nothing, and gets the result when it answers; stateful: %s [OP-011]",
    async (stateful) => {
      let isDown = false;
      let hasBeenDown = false;
      const storeOf = (inner: Store): Store =>
        watchedStore(inner, (operation) => {
          if (operation === "swap") [isDown, hasBeenDown] = [isDown || !hasBeenDown, true];
          if (isDown && ["get", "swap", "release"].includes(operation))
            throw new Error("the store is down");
        });
      const { one, other, jar, told, family } = await world({
        storeOf,
        settings: { session: { stateful } },
      });
      const { made } = await askWith(one, jar, token);
      expect(tokenNumber(made)).toBe(1);
      expect(told("refusal")).toEqual([]);
      expect(told("store-fault").length).toBeGreaterThan(0);
      expect(family).toMatchObject({ uses: [1], isRevoked: false });
      isDown = false;
      await expect.poll(async () => (await askWith(other, jar, look)).made).toBe(made);
    },
  );
});

describe("a store failing at the lease of a token", () => {
  beforeEach(jumpingTimers);

  /**
   * Fails for the first few leases; the provider takes its time, so that requests come together.
   */
  async function worldWithout(leases: number) {
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
    const made = await world({ storeOf, beforeAnswer });
    // The token at hand has expired.
    made.advance(60);
    return made;
  }

  test("for a moment is tried again: the token is spent once, and both instances get what it brings", async () => {
    const { one, other, jar, family } = await worldWithout(1);
    const both = await Promise.all([askWith(one, jar, token), askWith(other, jar, token)]);
    expect(both.map(({ made }) => tokenNumber(made))).toEqual([1, 1]);
    expect(family).toMatchObject({ uses: [1], isRevoked: false });
  });

  test("keeps the token unspent while it answers and takes no writes", async () => {
    const readOnly = new Error("read only");
    const storeOf = (store: Store): Store => ({
      ...store,
      lease: () => Promise.reject(readOnly),
      faultOf: (error) => (error === readOnly ? "read-only" : undefined),
    });
    const { one, jar, family, advance } = await world({ storeOf });
    advance(60);
    const { response } = await askWith(one, jar, (here) => here.accessToken());
    expect([response.status, family.uses]).toEqual([503, []]);
  });
});
