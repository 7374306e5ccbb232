import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { askWith } from "../../test/handle-request.ts";
import {
  lasts,
  token,
  twoInstances,
  type TwoInstancesOptions,
} from "../../test/refresh/two-instances.ts";
import type { RequestAuth } from "../host/request-auth.ts";

const inCookies = (options: TwoInstancesOptions = {}) =>
  twoInstances({ ...options, settings: { store: undefined, ...options.settings } });
const anew = (here: RequestAuth) => token(here, { refresh: true });
const refreshToken = ({ session }: RequestAuth) => session?.refreshToken;

describe("a refresh token in a cookie", () => {
  test.each([
    ["without a store", { store: undefined }],
    ["by explicit setting", { session: { stateful: false } }],
  ])("is spent once for the parallel requests of a process, %s", async (_, settings) => {
    const world = await twoInstances({ settings });
    const { jar, family } = await world.signIn(-5);
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => askWith(world.one, jar, token)),
    );
    expect(new Set(asked.map(({ made }) => made))).toEqual(new Set(["at.2.1"]));
    expect(family.uses).toEqual([1]);
    const others = world.outcomes().filter((each) => each === "shared" || each === "waited");
    expect(world.outcomes().filter((each) => each === "renewed")).toHaveLength(1);
    expect(others).toHaveLength(19);
    for (const { next } of asked) {
      expect((await askWith(world.one, next, refreshToken)).made).toBe("rt.2.1");
    }
    expect(world.store.list("session|")).toEqual([]);
  });

  test.each([
    ["is spent again by another process, as the guide says", 0, "other", [2]],
    ["brings a late request with the older cookie what it brought before", 86_399, "one", [1]],
    ["is forgotten after a day", 86_401, "one", [2]],
  ] as const)("%s", async (_, seconds, instance, uses) => {
    const settings = { session: { rolling: false } };
    const world = await inCookies({ graceMs: 172_800_000, settings });
    const { jar, family, advance, ...instances } = world;
    await askWith(instances.one, jar, anew);
    advance(seconds);
    await askWith(instances[instance], jar, anew);
    expect(family.uses[0]).toBe(uses[0]);
  });

  test("brings its new tokens with the next response if the first one was lost, also hours later", async () => {
    const { one, advance, signIn } = await inCookies();
    const { jar, family } = await signIn(lasts);
    await askWith(one, jar, anew);
    const { made, next } = await askWith(one, jar, token);
    expect([made, (await askWith(one, next, refreshToken)).made]).toEqual(["at.2.1", "rt.2.1"]);
    advance(23 * 3600);
    expect((await askWith(one, jar, token)).made).toBe("at.2.2");
    expect(family.uses).toEqual([1, 1]);
  });

  test("brings its successor if it was spent for another token, and the good token stays", async () => {
    const { one, signIn } = await inCookies();
    const { jar, family } = await signIn(lasts);
    await askWith(one, jar, (here) => here.accessToken({ resource: "https://api.example" }));
    const { made, next } = await askWith(one, jar, token);
    expect([made, (await askWith(one, next, refreshToken)).made]).toEqual(["at.2.0", "rt.2.1"]);
    expect(family.uses).toEqual([1]);
  });

  test("brings a response whose head has left the good token of its cookie", async () => {
    const { one, signIn } = await inCookies();
    const { jar } = await signIn(lasts);
    await askWith(one, jar, anew);
    let late: Promise<string> | undefined;
    const headLeft = Promise.withResolvers<undefined>();
    await askWith(one, jar, (here) => {
      late = headLeft.promise.then(() => token(here));
    });
    headLeft.resolve(undefined);
    expect(await late).toBe("at.2.0");
  });

  test("that the provider does not rotate is spent for each refresh", async () => {
    let count = 0;
    const onCall = async (input: string, send: () => Promise<Response>) => {
      if (!input.endsWith("/token")) return send();
      count += 1;
      const body = { access_token: `at ${count}`, token_type: "Bearer", expires_in: lasts };
      return Response.json(body);
    };
    const { one, jar, advance } = await inCookies({ onCall });
    const first = await askWith(one, jar, token);
    expect((await askWith(one, first.next, token)).made).toBe("at 1");
    advance(lasts);
    const second = await askWith(one, first.next, token);
    expect([first.made, second.made]).toEqual(["at 1", "at 2"]);
  });

  test("is not brought back by a request begun before the refresh", async () => {
    const { one, jar } = await inCookies();
    const slow = await askWith(one, jar, async () => {
      await askWith(one, jar, token);
    });
    expect(slow.response.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    [9, "rt.1.0", 0],
    [10, undefined, 1],
  ])(
    "that was refused is in a cookie that brings it %i s later: %s",
    async (seconds, kept, saves) => {
      let saved = 0;
      const beforeSave = <T>(session: T): T => ((saved += 1), session);
      const world = await inCookies({ settings: { hooks: { beforeSave } } });
      const { one, jar, family, advance } = world;
      family.isRevoked = true;
      await askWith(one, jar, token);
      advance(seconds);
      const { made, next } = await askWith(one, jar, token);
      expect([made, saved]).toEqual(["ERR_FAILED_REFRESH_GRANT", saves]);
      expect((await askWith(one, next, refreshToken)).made).toBe(kept);
      expect(family.uses).toEqual([1]);
    },
  );

  test("is sent by one of the requests that need tokens for different resources", async () => {
    const { one, jar, family } = await inCookies();
    const resources = Array.from({ length: 5 }, (_, place) => `https://api-${place}.example`);
    const asked = await Promise.all(
      resources.map((resource) => askWith(one, jar, (here) => here.accessToken({ resource }))),
    );
    expect(asked.filter(({ made }) => made?.startsWith("at.1."))).toHaveLength(5);
    expect(family.uses).toEqual([1, 1, 1, 1, 1]);
  });
});

test("a request that gets tokens for several resources at once keeps the newest refresh token", async () => {
  const { one, jar, family } = await inCookies();
  const resources = ["https://api-0.example", "https://api-1.example", "https://api-2.example"];
  const { made, next } = await askWith(one, jar, (here) =>
    Promise.all(resources.map((resource) => here.accessToken({ resource }))),
  );
  expect(made?.toSorted()).toEqual(["at.1.1", "at.1.2", "at.1.3"]);
  expect((await askWith(one, next, refreshToken)).made).toBe("rt.1.3");
  expect(family.uses).toEqual([1, 1, 1]);
});

describe("a process that was stopped before it could send a refresh token of a cookie", () => {
  /** Time passes when a request waits, or when the process is stopped. */
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    vi.setTimerTickMode("nextTimerAsync");
  });
  afterEach(() => void vi.useRealTimers());

  /** As if the process were stopped for 14 s. */
  function stop(): void {
    vi.setTimerTickMode("manual");
    vi.advanceTimersByTime(14_000);
    vi.setTimerTickMode("nextTimerAsync");
  }

  test("leaves the token to the next request, and is no fault of the provider", async () => {
    let isFirst = true;
    const { one, signIn } = await inCookies({
      async onCall(_input, send) {
        const response = await send();
        if (isFirst) stop();
        isFirst = false;
        return response;
      },
    });
    const { jar, family } = await signIn(-5);
    expect((await askWith(one, jar, token)).made).toBe("ERR_REFRESH_UNDER_WAY");
    expect(family.uses).toEqual([]);
    expect((await askWith(one, jar, token)).made).toBe("at.2.1");
  });

  test("leaves the token to the request which sends it afterwards", async () => {
    const others: Promise<{ readonly made: string | undefined }>[] = [];
    const world = await inCookies({
      beforeAnswer: () => new Promise((resolve) => setTimeout(resolve, 1000)),
      async onCall(input, send) {
        const response = await send();
        if (input.endsWith("/token") || others.length > 0) return response;
        stop();
        others.push(askWith(world.one, jar, token));
        await new Promise((resolve) => setTimeout(resolve, 100));
        return response;
      },
    });
    const { jar, family } = await world.signIn(-5);
    expect((await askWith(world.one, jar, token)).made).toBe("ERR_REFRESH_UNDER_WAY");
    others.push(askWith(world.one, jar, token));
    const made = (await Promise.all(others)).map((each) => each.made);
    expect(made).toEqual(["at.2.1", "at.2.1"]);
    expect(family.uses).toEqual([1]);
  });
});
