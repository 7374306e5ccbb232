import type { BehaviorName } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { jarOf } from "../../browser/cookie-jar.ts";
import { signIn } from "../world/attempt.ts";
import { signInUnder, titledCases } from "../world/behavior-cases.ts";
import { subjects } from "../world/behavior-subjects.ts";
import { startHostileWorld } from "../world/hostile-world.ts";
import { expectQuietAnswer, expectSignedIn } from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

const [discovery] = subjects["provider/discovery-and-keys.test.ts"];
const cases = titledCases(discovery, ["code"]);

async function expectLoginFails(name?: BehaviorName): Promise<void> {
  const browser = world.browser();
  const before = world.events.length;
  const login = await browser.request("/api/auth/login?returnTo=%2Fprivate");
  expect([login.status, login.location]).toEqual([500, ""]);
  expect(jarOf(await browser.cookies())).toEqual({});
  expectQuietAnswer(world, login);
  const logged = world.events.slice(before);
  expect(logged.filter(({ event }) => event !== "provider-state")).toMatchObject([
    { event: "refusal", route: "login", status: 500 },
  ]);
  const called = world.provider.requests.map(({ endpoint }) => endpoint ?? name);
  expect(called.filter((endpoint) => endpoint !== "metadata")).toEqual([]);
}

describe("the app fails a login, and fetches nothing but the metadata, when the provider", () => {
  test.each(cases("login-fails"))("%s", async (_, { name }) => {
    world.setUp({ conduct: name });
    world.provider.resetLog();
    await expectLoginFails(name);
  });
});

describe("the app signs in when the provider", () => {
  test.each(cases("accept"))("%s", async (_, each) => {
    world.provider.resetLog();
    await expectSignedIn(world, await signInUnder(world, each));
    expect(world.provider.complaints).toEqual([]);
  });
});

describe("the metadata", () => {
  test("are renewed within ten minutes, without a restart [REL-F11]", async () => {
    world.setUp();
    await expectSignedIn(world, await signIn(world));
    world.provider.behave("REL-F11");
    world.advance(601);
    world.provider.resetLog();
    await expectSignedIn(world, await signIn(world));
    expect(world.provider.requestsTo("token").map(({ path }) => path)).toEqual(["/moved/token"]);
  });
});

logsStayQuiet(world);
