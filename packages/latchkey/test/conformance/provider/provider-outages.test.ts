import type { Behavior, Endpoint } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import type { Answer } from "../../browser/browser.ts";
import { signIn } from "../world/attempt.ts";
import { startHostileWorld } from "../world/hostile-world.ts";
import { deliver, expectSignedIn } from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

function busy(endpoint: Endpoint, status: number, retryAfter?: string): Behavior {
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

function expectBusyPage(answer: Answer, atMostSeconds: number): void {
  expect(answer.status).toBe(503);
  expect(world.problems.at(-1)).toMatchObject({ kind: "provider-busy" });
  expect(answer.text).toContain("The sign-in provider is busy");
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(atMostSeconds);
}

describe("the app calls no provider that requests a pause, and shows users that it is busy [OP-040]", () => {
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
});

test("the app requests a logout token again, and does not call it invalid, if the keys for its signature are missing [OP-043]", async () => {
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

logsStayQuiet(world);
