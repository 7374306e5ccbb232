import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openStore } from "../../src/stores/open-store.ts";
import type { Store } from "../../src/stores/store.ts";
import { askWith } from "../handle-request.ts";
import { findRedis, type RunningRedis, startRedis } from "../servers/redis.ts";
import { startProxy, type TCPProxy } from "../servers/tcp-proxy.ts";
import { tokenInWords as token, twoInstances } from "./two-instances.ts";

const program = findRedis() ?? "";

describe.skipIf(program === "")("a reply of Redis that is lost on the way", () => {
  let redis: RunningRedis;
  let proxy: TCPProxy;
  let opened: Store;

  beforeAll(async () => {
    redis = await startRedis(program);
    proxy = await startProxy(redis.port);
    opened = await openStore(`redis://127.0.0.1:${proxy.port}`);
  });
  afterAll(async () => {
    await opened.close();
    await proxy.close();
    await redis.close();
  });

  /** Redis, whose first answers to one operation are lost. */
  function losing(operation: "lease" | "release" | "swap", count = 1): Store {
    const redisOf = laterBy(50_000_000, opened);
    let lost = 0;
    return {
      ...redisOf,
      [operation]: (...words: never[]) => {
        lost += 1;
        if (lost <= count) proxy.cutNextAnswer();
        return (redisOf[operation] as (...given: never[]) => unknown)(...words);
      },
    };
  }

  test.each(["lease", "release", "swap"] as const)(
    "to a %s costs no session its token, and no second use of the refresh token",
    async (operation) => {
      const { one, other, signIn } = await twoInstances({ storeOf: () => losing(operation) });
      const { jar, family } = await signIn(-5);
      const begun = performance.now();
      expect((await askWith(one, jar, token)).made).toBe("at.2.1");
      expect((await askWith(other, jar, token)).made).toBe("at.2.1");
      expect(performance.now() - begun).toBeLessThan(3000);
      expect(family.uses).toEqual([1]);
    },
  );

  test("to a lease locks no other request out", async () => {
    const { one, other, signIn } = await twoInstances({ storeOf: () => losing("lease", 1) });
    const { jar, family } = await signIn(-5);
    const asked = [one, other, one, other].map(async (auth) => askWith(auth, jar, token));
    expect((await Promise.all(asked)).map(({ made }) => made)).toEqual(
      Array.from({ length: 4 }, () => "at.2.1"),
    );
    expect(family.uses).toEqual([1]);
  });
});

/** The world of the test is behind the clock of Redis: all entries end so many seconds later. */
function laterBy(seconds: number, store: Store): Store {
  return {
    ...store,
    set: (key, value, expiresAt) => store.set(key, value, expiresAt + seconds),
    add: (key, value, expiresAt) => store.add(key, value, expiresAt + seconds),
    swap: (key, old, value, expiresAt) => store.swap(key, old, value, expiresAt + seconds),
    join: (index, key, expiresAt) => store.join(index, key, expiresAt + seconds),
  };
}
