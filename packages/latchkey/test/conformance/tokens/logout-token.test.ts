import { behaviourOf } from "@latchkey/provider/hostile";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

import { createAuth } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory.ts";
import { sqliteStore } from "../../../src/stores/sqlite.ts";
import { type Browser, isSignedIn } from "../../browser/browser.ts";
import { watchedStore } from "../../watched-store.ts";
import { signIn } from "../world/attempt.ts";
import { optionsFor, titledCases } from "../world/behaviour-cases.ts";
import { notFound, type SetUp, startHostileWorld } from "../world/hostile-world.ts";
import {
  deliver,
  expectAnonymous,
  expectLogoutRefused,
  expectLogoutTaken,
  profileOf,
} from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

// That one is decided otherwise, see decision 0007.
const cases = titledCases((name) => name !== "STD-103/no-exp", ["code"]);

async function signedIn(setUp: SetUp = {}): Promise<Browser> {
  world.setUp(setUp);
  const { browser } = await signIn(world);
  await profileOf(browser);
  return browser;
}

const sidOf = async (browser: Browser) => String((await profileOf(browser))["sid"]);

describe("a logout token is refused, and the session lives on, that", () => {
  test.each(cases("logout-refused"))("%s", async (_, { name }) => {
    const browser = await signedIn();
    world.provider.behave(name);
    expectLogoutRefused(world, await deliver(world, world.provider.mintLogoutToken()));
    expect(await isSignedIn(browser)).toBe(true);
    expect(world.provider.stranger.requests).toEqual([]);
  });

  test("is a valid ID token (RFC 8725, 3.11) [STD-116, STD-086]", async () => {
    const browser = await signedIn();
    const { nonce: _none, ...request } = { nonce: "n", response_type: "code" };
    for (const token of [world.provider.mintIDToken(), world.provider.mintIDToken(request)]) {
      expectLogoutRefused(world, await deliver(world, token));
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("is our own session cookie (RFC 8725, 3.11) [STD-086]", async () => {
    const browser = await signedIn();
    const cookie = (await browser.cookies()).split("appSession=")[1] ?? "";
    expectLogoutRefused(world, await deliver(world, cookie));
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe("a logout token is taken, and its session has ended at the next request, that", () => {
  test.each(cases("logout-accepted"))("%s", async (_, { name }) => {
    const options = optionsFor(world, name);
    const conduct = behaviourOf(name).behaviour;
    const browser = await signedIn({ conduct: { ...conduct }, options });
    expectLogoutTaken(await deliver(world, world.provider.mintLogoutToken()));
    await expectAnonymous(world, browser, { clears: true });
  });
});

describe("a logout token ends", () => {
  test("no session of another issuer or client with the same sub and sid, on the same store (Back-Channel Logout 1.0, 2.4) [STD-114, ATK-022]", async () => {
    const keys: unknown[] = [];
    const store = watchedStore(memoryStore(), (operation, [asked]) => {
      if (["get", "set", "add"].includes(operation)) keys.push(...[asked].flat());
    });
    const browser = await signedIn({ options: { store } });
    const sid = await sidOf(browser);
    const own = new Set(keys.splice(0));
    const elsewhere = await startHostileWorld();
    elsewhere.setUp({ options: { store } });
    const token = elsewhere.provider.mintLogoutToken({ sid });
    expectLogoutTaken(await deliver(elsewhere, token));
    expectLogoutTaken(
      await deliver(elsewhere, elsewhere.provider.mintLogoutToken({ sid: undefined })),
    );
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => key !== "" && own.has(key))).toEqual([]);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("its session immediately in every process that shares the store [STD-117]", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "latchkey-logout-"));
    const file = path.join(folder, "store.db");
    const [here, there] = [sqliteStore(file), sqliteStore(file)];
    onTestFinished(() => {
      void here.close();
      void there.close();
      rmSync(folder, { recursive: true });
    });
    const browser = await signedIn({ options: { store: here } });
    const headers = { cookie: await browser.cookies() };
    const twin = createAuth({ ...world.defaults, store: there });
    const look = async () => {
      const request = new Request(`${world.baseURL}/_auth/session.json`, { headers });
      return (await twin.respond(request, notFound)).json();
    };
    expect(await look()).toMatchObject({ state: "signed-in" });
    expectLogoutTaken(await deliver(world, world.provider.mintLogoutToken()));
    expect(await look()).toMatchObject({ state: "ended", reason: "elsewhere" });
  });
});

describe("a logout token that is sent again", () => {
  test.each(["get", "set", "add"] as const)(
    "works after a fault of our store in %s, which was no success (Back-Channel Logout 1.0, 2.4) [STD-104, REL-R06]",
    async (method) => {
      const store = memoryStore();
      const browser = await signedIn({ options: { store } });
      const token = world.provider.mintLogoutToken();
      const down = { ...store, [method]: () => Promise.reject(new Error("down")) };
      world.setUp({ options: { store: down } });
      expectLogoutRefused(world, await deliver(world, token), "application_error");
      world.setUp({ options: { store } });
      // Only where the last of the three failed, the mark is there already.
      expect(await isSignedIn(browser)).toBe(method !== "add");
      expectLogoutTaken(await deliver(world, token));
      expect(await isSignedIn(browser)).toBe(false);
    },
  );

  test("is remembered for an hour and the tolerance at most, however long it says it lives (Back-Channel Logout 1.0, 4) [ATK-061, STD-115]", async () => {
    const remembered: unknown[] = [];
    const store = watchedStore(memoryStore(), (operation, [key, , expiresAt]) => {
      if (operation === "add" && String(key).startsWith("jti|")) remembered.push(expiresAt);
    });
    await signedIn({ options: { store } });
    const now = Math.floor(Date.now() / 1000);
    const token = world.provider.mintLogoutToken({ iat: now, exp: now + 10 ** 9 });
    expectLogoutTaken(await deliver(world, token));
    expect(remembered).toHaveLength(1);
    expect(remembered[0]).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 3600 + 61);
  });
});

test("2,000 forged logout tokens end no session and cost one more request for keys [ATK-117, REL-L04]", async () => {
  const browser = await signedIn();
  world.provider.resetLog();
  world.provider.behave("STD-101/unknown-key");
  const forged = world.provider.mintLogoutToken();
  world.provider.behave("STD-101/signature");
  const broken = world.provider.mintLogoutToken();
  const post = async (token: string) =>
    world.auth.respond(
      new Request(`${world.baseURL}/api/auth/backchannel-logout`, {
        method: "POST",
        body: new URLSearchParams({ logout_token: token }),
      }),
      notFound,
    );
  const answers = await Promise.all(
    Array.from({ length: 2000 }, (_, index) => post(index % 2 === 0 ? forged : broken)),
  );
  expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([400]));
  expect(world.provider.requestsTo("keys").length).toBeLessThanOrEqual(1);
  expect(await isSignedIn(browser)).toBe(true);
});

logsStayQuiet(world);
