import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { askWith } from "../../../test/handle-request.ts";
import { jarOf } from "../../../test/cookie-jar.ts";
import { createRotatingProvider } from "../../../test/refresh/rotating-provider.ts";
import { goodSettings } from "../../../test/settings.ts";
import { createAuth, type Options } from "../../auth.ts";
import type { LogEvent } from "../../config/telemetry/log-event.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Store } from "../../stores/store.ts";
import { signedInCookies } from "../../testing/index.ts";
import type { RequestAuth } from "../request-auth.ts";

const began = Date.UTC(2026, 0, 1);
const lasts = 300;

/** Two instances of an app with one store, a provider that rotates refresh tokens, and a person who is signed in. */
async function world({
  settings = {},
  graceMs = 0,
  isForgiving = false,
  beforeAnswer = async () => undefined,
  storeOf = (store: Store) => store,
}: {
  readonly settings?: Partial<Options>;
  readonly graceMs?: number;
  /** A second use is refused, and nothing is revoked. */
  readonly isForgiving?: boolean;
  readonly beforeAnswer?: () => Promise<unknown>;
  readonly storeOf?: (store: Store) => Store;
} = {}) {
  let now = began;
  const start = performance.now();
  const clock = () => Math.floor(now + performance.now() - start);
  const events: LogEvent[] = [];
  /** What becomes of the responses of the token endpoint, the next one first. */
  const fates: ("lost" | "down")[] = [];
  const provider = createRotatingProvider({
    issuer: goodSettings.issuerBaseURL,
    clock,
    accessTokenLasts: lasts,
    graceMs: () => graceMs,
    isForgiving,
    async onTheWay(moment) {
      if (moment === "request") await beforeAnswer();
      if (moment === "request" && fates[0] === "down") throw failed("ECONNREFUSED");
      if (moment === "response" && fates.shift() === "lost") throw failed("ECONNRESET");
    },
  });
  const store = memoryStore(clock);
  const options: Options = {
    ...goodSettings,
    publicPaths: ["/"],
    clock,
    store: storeOf(store),
    fetch: provider.fetch,
    log: (event) => void events.push(event),
    ...settings,
  };
  const [one, other] = [createAuth(options), createAuth(options)];
  const { refreshToken, family } = provider.signIn();
  const session = {
    user: { sub: "ada" },
    accessToken: refreshToken.replace("rt", "at"),
    accessTokenExpiresAt: now / 1000 + 50,
    refreshToken,
  };
  return {
    one,
    other,
    jar: jarOf(await signedInCookies({ options, session })),
    family,
    fates,
    store,
    outcomes: () => events.flatMap((each) => (each.event === "refresh" ? [each.outcome] : [])),
    told: (name: LogEvent["event"]) => events.filter(({ event }) => event === name),
    advance: (seconds: number) => void (now += seconds * 1000),
  };
}

function failed(code: string): Error {
  const cause = Object.assign(new Error(code), { code });
  return new TypeError("fetch failed", { cause });
}

/** Whoever waits waits no longer than it takes the others to have nothing left to do. */
function jumpingTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.setTimerTickMode("nextTimerAsync");
}
afterEach(() => void vi.useRealTimers());

const token = (here: RequestAuth) =>
  here.accessToken().catch((error: { code: string }) => error.code);
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

  test("is led over several refreshes", async () => {
    const { one, other, jar, family, advance } = await world();
    let { next } = await askWith(one, jar, token);
    for (let count = 0; count < 2; count += 1) {
      advance(lasts);
      ({ next } = await askWith(one, next, token));
    }
    expect(tokenNumber((await askWith(other, jar, look)).made)).toBe(3);
    expect(family.uses).toEqual([1, 1, 1]);
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
    // Of the waits that chance may choose, the longest: two seconds.
    const random = (bytes: number) =>
      bytes === 4 ? new Uint8Array(bytes).fill(255) : crypto.getRandomValues(new Uint8Array(bytes));
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

describe("somebody else who has the lease", () => {
  beforeEach(jumpingTimers);

  test("for longer than six seconds is waited for no longer, and the request may be repeated", async () => {
    const storeOf = (store: Store): Store => ({
      ...store,
      lease: (key, _owner, ms) => store.lease(key, "somebody else", ms) && false,
    });
    const { one, jar, advance, family } = await world({ storeOf });
    expect((await askWith(one, jar, token)).made).toBe("at.1.0");
    advance(60);
    expect((await askWith(one, jar, token)).made).toBe("ERR_REFRESH_UNDER_WAY");
    const { response } = await askWith(one, jar, (here) => here.accessToken());
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(family.uses).toEqual([]);
  });

  test("after it was lost has the last word: both hand out the same token", async () => {
    let takeOver: () => Promise<unknown> = async () => undefined;
    const { one, other, jar, told } = await world({
      graceMs: 10_000,
      storeOf: leaseless,
      beforeAnswer: () => takeOver(),
    });
    let others: unknown;
    takeOver = async () => {
      takeOver = async () => undefined;
      others = (await askWith(other, jar, token)).made;
    };
    expect((await askWith(one, jar, token)).made).toBe(others);
    expect(tokenNumber(others)).toBe(1);
    expect(told("lease-lost")).toHaveLength(1);
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
});

describe("a store that fails after the provider has answered", () => {
  test.each([true, false])(
    "costs the caller nothing, and gets the result when it answers; stateful: %s [OP-011]",
    async (stateful) => {
      let isDown = false;
      const down = <T>(operation: () => T): T => {
        if (isDown) throw new Error("the store is down");
        return operation();
      };
      const storeOf = (inner: Store): Store => ({
        ...inner,
        get: (keys) => down(() => inner.get(keys)),
        swap: (...entry) => down(() => inner.swap(...entry)),
        settle(...entry) {
          isDown = true;
          return down(() => inner.settle(...entry));
        },
      });
      const { one, jar, told, family } = await world({
        storeOf,
        settings: { session: { stateful } },
      });
      const { made } = await askWith(one, jar, token);
      expect(tokenNumber(made)).toBe(1);
      expect(told("refusal")).toEqual([]);
      expect(told("store-fault").length).toBeGreaterThan(0);
      expect(family).toMatchObject({ uses: [1], isRevoked: false });
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

  test("keeps the token unspent, and whoever asks may try again", async () => {
    const { one, jar, family } = await worldWithout(Infinity, {});
    const { response } = await askWith(one, jar, (here) => here.accessToken());
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(family.uses).toEqual([]);
  });

  test.each([
    [
      "keeps the token unspent while it answers and takes no writes",
      { whenStoreIsDown: "serve" },
      [],
    ],
    ["costs an app of one process no refresh", {}, [1]],
  ] as const)("%s", async (_, session, uses) => {
    const readOnly = new Error("read only");
    const storeOf = (store: Store): Store => ({
      ...store,
      lease: () => Promise.reject(readOnly),
      faultOf: (error) => (error === readOnly ? "read-only" : undefined),
    });
    const instances = uses.length === 0 ? 2 : 1;
    const { one, jar, family, advance } = await world({
      settings: { session, instances },
      storeOf,
    });
    advance(60);
    const { response } = await askWith(one, jar, (here) => here.accessToken());
    expect([response.status, family.uses]).toEqual([uses.length === 0 ? 503 : 200, uses]);
  });

  test("costs no lease where the settings let sessions go on without the store", async () => {
    const { one, jar, family } = await worldWithout(Infinity, { whenStoreIsDown: "serve" });
    expect(tokenNumber((await askWith(one, jar, token)).made)).toBe(1);
    expect(family.uses).toEqual([1]);
  });
});

describe("a refused token", () => {
  test("leaves the record by compare-and-set, and the person stays signed in", async () => {
    const { one, other, jar, family, outcomes } = await world({
      settings: { session: { stateful: true } },
    });
    family.isRevoked = true;
    expect((await askWith(one, jar, token)).made).toBe("ERR_FAILED_REFRESH_GRANT");
    const after = await askWith(other, jar, ({ session }) => session);
    expect(after.made).toMatchObject({ user: { sub: "ada" } });
    expect(after.made).not.toHaveProperty("refreshToken");
    expect(outcomes()).toEqual(["refused"]);
  });

  test("that somebody else has replaced meanwhile is a race, and no refusal [OP-005]", async () => {
    let takeOver: () => Promise<unknown> = async () => undefined;
    const { one, other, jar, outcomes, told } = await world({
      // The provider refuses a second use, and revokes nothing.
      isForgiving: true,
      settings: { session: { stateful: true } },
      async beforeAnswer() {
        await takeOver();
      },
      storeOf: leaseless,
    });
    takeOver = async () => {
      takeOver = async () => undefined;
      await askWith(other, jar, token);
    };
    const { made } = await askWith(one, jar, token);
    expect(tokenNumber(made)).toBe(1);
    expect(outcomes().toSorted()).toEqual(["renewed", "shared"]);
    expect(told("refresh")).not.toContainEqual(expect.objectContaining({ outcome: "refused" }));
    const after = await askWith(one, jar, ({ session }) => session?.refreshToken);
    expect(after.made).toBe("rt.1.1");
  });
});

/** A store whose leases keep nobody out. */
function leaseless(store: Store): Store {
  return {
    ...store,
    async lease(key, owner, ms) {
      await store.delete(key);
      return store.lease(key, owner, ms);
    },
  };
}
