import { setTimeout as sleep } from "node:timers/promises";

import type { Behaviour, Endpoint } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import type { LogEvent } from "../../../src/index.ts";
import type { Answer } from "../../browser/browser.ts";
import { ownTime } from "../../own-time.ts";
import { returnFrom, sendCallback, signIn, startLogin } from "../world/attempt.ts";
import { startHostileWorld } from "../world/hostile-world.ts";
import { deliver, expectSignedIn } from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

const hanging: Behaviour = { faults: { metadata: { kind: "hang" }, keys: { kind: "hang" } } };

function busy(endpoint: Endpoint, status: number, retryAfter?: string): Behaviour {
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { "Retry-After": retryAfter };
  const response = { status, headers, body: "busy" };
  return { faults: { [endpoint]: { kind: "replace", response } } };
}

function inAMinute(): string {
  const { clock = Date.now } = world.defaults;
  return new Date(Math.ceil(clock() / 1000) * 1000 + 60_000).toUTCString();
}

const login = async () => world.browser().request("/api/auth/login");

/** A callback that has reached the app, ready to be sent. */
async function returned() {
  const browser = world.browser();
  const request = await returnFrom(world, await startLogin(world, browser));
  return { send: async () => (await sendCallback(world, browser, request)).answer };
}

function transitions(since: number): readonly LogEvent[] {
  return world.events.slice(since).filter(({ event }) => event === "provider-state");
}

async function timed(work: () => Promise<Answer>): Promise<Answer & { readonly tookMs: number }> {
  const started = ownTime();
  const answer = await work();
  return { ...answer, tookMs: ownTime() - started };
}

function expectBusyPage(answer: Answer, atMostSeconds: number): void {
  expect(answer.status).toBe(503);
  expect(world.problems.at(-1)).toMatchObject({ kind: "provider-busy" });
  expect(answer.text).toContain("The sign-in provider is busy");
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(atMostSeconds);
}

describe("a provider that asks to be left alone is left alone, and people are told that it is busy [OP-040]", () => {
  const asks = [429, 503].flatMap((status) =>
    [() => "60", inAMinute].map((text) => [status, text] as const),
  );

  test.each(asks)("by its metadata, with %i", async (status, text) => {
    world.setUp({ conduct: busy("metadata", status, text()) });
    world.provider.resetLog();
    for (let count = 0; count < 5; count += 1) expectBusyPage(await login(), 61);
    world.provider.behave("well");
    // A slow machine has ten seconds to come here.
    world.advance(50);
    expectBusyPage(await login(), 11);
    expect(world.provider.requests).toHaveLength(1);
    world.advance(11);
    await expectSignedIn(world, await signIn(world));
  });

  const late = { keys: "keys", token: "token endpoint" } as const;

  test.each(
    asks.flatMap(([status, text]) =>
      (["keys", "token"] as const).map(
        (endpoint) => [late[endpoint], status, endpoint, text] as const,
      ),
    ),
  )("by its %s, with %i", async (_, status, endpoint, text) => {
    world.setUp({ conduct: busy(endpoint, status, text()) });
    world.provider.resetLog();
    for (let count = 0; count < 3; count += 1) expectBusyPage(await (await returned()).send(), 61);
    expect(world.provider.requestsTo(endpoint)).toHaveLength(1);
    world.provider.behave("well");
    world.advance(61);
    await expectSignedIn(world, await signIn(world));
  });

  test("for two minutes at most, whatever it asks for", async () => {
    world.setUp({ conduct: busy("metadata", 503, "86400") });
    expectBusyPage(await login(), 120);
    world.provider.behave("well");
    world.advance(121);
    await expectSignedIn(world, await signIn(world));
  });
});

describe("a provider in a black hole", () => {
  test("is not waited for while its metadata and keys are at hand, and its failure and its return are told once [OP-041]", async () => {
    world.setUp({ options: { httpTimeout: 1000 } });
    await expectSignedIn(world, await signIn(world));
    const since = world.events.length;
    world.provider.behave(hanging);
    const waits: number[] = [];
    for (let minutes = 0; minutes < 20; minutes += 1) {
      world.advance(60);
      const { status, tookMs } = await timed(login);
      expect(status).toBe(302);
      waits.push(tookMs);
    }
    await expectSignedIn(world, await signIn(world));
    expect(waits.toSorted((one, other) => one - other)[10]).toBeLessThan(100);
    await expect.poll(() => transitions(since)).toHaveLength(1);
    // A call of the outage that ends after the return would be a failure of its own.
    await sleep(5000);
    world.provider.behave("well");
    const aMinuteLater = async () => {
      world.advance(60);
      await login();
      await signIn(world);
      return transitions(since);
    };
    await expect
      .poll(aMinuteLater)
      .toMatchObject([{ state: "down", reason: "provider_timeout" }, { state: "up" }]);
  });

  test("costs the first sign-in the time limit, the others nothing, and a sign-out neither [OP-042]", async () => {
    world.setUp({ conduct: hanging });
    const early = await timed(async () => world.browser().request("/api/auth/logout"));
    const logins = await Promise.all(Array.from({ length: 20 }, async () => timed(login)));
    const more: number[] = [];
    for (let count = 0; count < 200; count += 1) {
      const answer = await timed(
        count % 2 === 0 ? login : async () => world.browser().request("/api/auth/logout"),
      );
      expect(answer.status).toBe(count % 2 === 0 ? 500 : 302);
      more.push(answer.tookMs);
    }
    expect(new Set(logins.map(({ status }) => status))).toEqual(new Set([500]));
    expect(Math.max(...logins.map(({ tookMs }) => tookMs))).toBeLessThan(7000);
    expect(logins[0]?.text).toContain("We can't reach the sign-in provider");
    expect(early.location).toContain("provider=unconfirmed");
    expect(early.tookMs).toBeLessThan(500);
    // Measured 1 ms, and 25 ms more where it tried again.
    const sorted = more.toSorted((one, other) => one - other);
    expect(sorted[100]).toBeLessThan(50);
    expect(sorted[190]).toBeLessThan(200);
  });

  test("for more than a day lets nobody sign in, and those who are signed in stay so [OP-043]", async () => {
    world.setUp({ options: { httpTimeout: 300, session: { rollingDuration: 604_800 } } });
    const { browser } = await signIn(world);
    world.provider.behave(hanging);
    world.advance(25 * 3600);
    const refused = await login();
    expect(refused.status).toBe(500);
    expect(world.events.at(-1)).toMatchObject({ event: "refusal", reason: "provider_timeout" });
    expect((await browser.request("/private")).text).toBe("page /private");
    world.provider.behave("well");
    world.advance(11);
    await expect.poll(async () => (await login()).status).toBe(302);
  });
});

test("a logout token whose signature cannot be checked, as the keys are not there, is asked for again: it is not called a wrong one [OP-043]", async () => {
  world.setUp({ conduct: busy("keys", 503, "7") });
  const token = world.provider.mintLogoutToken({});
  const refused = await deliver(world, token);
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
    400,
    { error: "application_error" },
  ]);
  expect(world.events.at(-1)).toMatchObject({ event: "refusal", reason: "provider_busy" });
  world.provider.behave("well");
  world.advance(8);
  expect((await deliver(world, token)).status).toBe(204);
});

describe("the keys of the provider", () => {
  test("may change every minute, one failure at most each time [OP-044]", async () => {
    world.setUp();
    let failures = 0;
    for (let rounds = 0; rounds < 5; rounds += 1) {
      await world.provider.rotateKeys();
      world.advance(60);
      const { callback } = await signIn(world);
      if (callback?.answer.location === `${world.baseURL}/private`) continue;
      failures += 1;
      await expectSignedIn(world, await signIn(world));
    }
    expect(failures).toBe(0);
  });
});

test("a token endpoint that fails every other time is called once for each sign-in [OP-046]", async () => {
  world.setUp({
    conduct: {
      faults: {
        token: (nth) =>
          nth % 2 === 1
            ? { kind: "replace", response: { status: 503, headers: {}, body: "busy" } }
            : undefined,
      },
    },
  });
  const callbacks = await Promise.all(Array.from({ length: 40 }, returned));
  world.provider.resetLog();
  const answers = await Promise.all(callbacks.map(async ({ send }) => send()));
  expect(answers.filter(({ status }) => status === 302)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(20);
  expect(world.provider.requestsTo("token")).toHaveLength(40);
});

logsStayQuiet(world);
