import {
  type BehaviorName,
  behaviorNames,
  behaviorOf,
  startHostileProvider,
} from "@latchkey/provider/hostile";
import { describe, expect, test, vi } from "vitest";

import { AccessTokenError, type Options } from "../../../src/index.ts";
import type { Answer } from "../../browser/browser.ts";
import { type Attempt, signIn } from "../world/attempt.ts";
import { optionsFor } from "../world/behavior-cases.ts";
import { notFound, type SetUp, startHostileWorld } from "../world/hostile-world.ts";
import {
  expectAnonymous,
  expectQuietAnswer,
  expectRefused,
  expectSignedIn,
  profileOf,
} from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";
import { longTests } from "../../long-tests.ts";
import { freePort } from "../../servers/free-port.ts";
import { ownTime } from "../../own-time.ts";

const world = await startHostileWorld();

type Called = "metadata" | "keys" | "pushed" | "token" | "refresh" | "userinfo";
const endpoints: readonly Called[] = ["metadata", "keys", "pushed", "token", "refresh", "userinfo"];

/** A page that needs a new access token. */
const page: NonNullable<SetUp["page"]> = async (request, auth) => {
  try {
    await auth.of(request).accessToken({ refresh: true });
    return new Response("renewed");
  } catch (error) {
    return new Response(error instanceof AccessTokenError ? error.code : "another error");
  }
};

type Outcome = "fine" | "login refused" | "callback refused" | "refresh refused";

/**
 * Returns what the user sees while the provider behaves so. Each result must be reported properly.
 */
async function outcomeUnder(name: BehaviorName, more: Partial<Options> = {}): Promise<Outcome> {
  const options = { ...optionsFor(world, name), ...more };
  if (name.includes("/refresh")) return refreshUnder(name, options);
  world.setUp({ conduct: name, options });
  const attempt = await signIn(world);
  if (attempt.login.status >= 400) return expectLoginRefused(attempt.login);
  if (attempt.callback?.answer.status !== 302) return expectCallbackRefused(attempt);
  await expectSignedIn(world, attempt);
  return "fine";
}

function expectLoginRefused(login: Answer): Outcome {
  expectQuietAnswer(world, login);
  expect(login.headers.getSetCookie()).toEqual([]);
  expect(world.events.at(-1)).toMatchObject({ event: "refusal", route: "login" });
  return "login refused";
}

async function expectCallbackRefused(attempt: Attempt): Promise<Outcome> {
  const status = attempt.callback?.answer.status ?? 0;
  expect([400, 500, 503]).toContain(status);
  expectRefused(world, attempt, { status, noCallTo: [] });
  await expectAnonymous(world, attempt.browser);
  return "callback refused";
}

async function refreshUnder(name: BehaviorName, options: Partial<Options>): Promise<Outcome> {
  world.setUp({ options, page });
  const { browser } = await signIn(world);
  world.provider.behave(name);
  const { text } = await browser.request("/private");
  await profileOf(browser);
  expect(["renewed", "ERR_FAILED_REFRESH_GRANT"]).toContain(text);
  return text === "renewed" ? "fine" : "refresh refused";
}

function rightOutcomes(name: BehaviorName): readonly Outcome[] {
  const refused = {
    metadata: "login refused",
    pushed: "login refused",
    refresh: "refresh refused",
  } as const;
  const endpoint = endpoints.find((each) => name.split("/").includes(each)) ?? "token";
  const bad: Outcome =
    endpoint === "metadata" || endpoint === "pushed" || endpoint === "refresh"
      ? refused[endpoint]
      : "callback refused";
  return behaviorOf(name).expect === "either" ? ["fine", bad] : [bad];
}

function named(prefix: string, endpoint: Called): readonly BehaviorName[] {
  return behaviorNames.filter(
    (name) => name.startsWith(prefix) && name.split("/").includes(endpoint),
  );
}

/** `npm test` plays each malformed response at two endpoints, `npm run ci` at all. */
function isPlayed(place: number, endpoint: Called): boolean {
  return longTests || (place + endpoints.indexOf(endpoint)) % 3 === 0;
}

describe.each(endpoints)("the %s endpoint", (endpoint) => {
  test("may respond in more than 60 malformed ways, and each is an error of the catalog and nothing more [REL-F04]", async () => {
    const names = named("REL-F04/", endpoint);
    expect(names.length).toBeGreaterThanOrEqual(60);
    const wrong: [string, Outcome][] = [];
    for (const name of names.filter((_, place) => isPlayed(place, endpoint))) {
      const outcome = await outcomeUnder(name);
      if (!rightOutcomes(name).includes(outcome)) wrong.push([name, outcome]);
    }
    expect(wrong).toEqual([]);
  });

  test.each(["REL-F01/hang", "REL-F02/slow", "REL-F02/silence"] as const)(
    "may never finish a response, since one deadline covers the whole call: %s [REL-F01, REL-F02]",
    async (fault) => {
      const started = ownTime();
      const name = `${fault}/${endpoint}` as const;
      expect(rightOutcomes(name)).toContain(await outcomeUnder(name, { httpTimeout: 300 }));
      expect(ownTime() - started).toBeLessThan(3000);
    },
  );

  test.each(["REL-F12/reset", "REL-F15/429", "REL-F15/503", "REL-F15/flapping"] as const)(
    "may fail, and the client sends a code once, a refresh token twice if its response was lost: %s [REL-F12, REL-F15, OP-008]",
    async (fault) => {
      world.provider.resetLog();
      const name = `${fault}/${endpoint}` as const;
      expect(rightOutcomes(name)).toContain(await outcomeUnder(name));
      expect(world.provider.requestsTo("token").length).toBeLessThanOrEqual(1);
      const tries = fault === "REL-F12/reset" ? 2 : 1;
      expect(world.provider.requestsTo("refresh").length).toBeLessThanOrEqual(tries);
    },
  );

  test.each(["302", "307", "308"] as const)(
    "may redirect to another host with %s, and the client never calls it [REL-F13, ASVS-15.3.2, ATK-074]",
    async (status) => {
      world.provider.resetLog();
      const name = `REL-F13/${status}/${endpoint}` as const;
      expect(rightOutcomes(name)).toContain(await outcomeUnder(name));
      expect(world.provider.stranger.requests).toEqual([]);
    },
  );
});

test("the app fails logins while the provider is down at the start, and works without a restart afterwards [REL-F05]", async () => {
  const port = await freePort();
  const gone = await startHostileProvider({ port });
  await gone.close();
  const auth = world.setUp({ options: { issuerBaseURL: gone.issuer } });
  const login = () => auth.respond(new Request(`${world.baseURL}/api/auth/login`), notFound);
  const started = ownTime();
  expect((await login()).status).toBe(500);
  expect(ownTime() - started).toBeLessThan(3000);
  const back = await startHostileProvider({ port, client: gone.client });
  try {
    const browser = world.browser();
    // The next attempt follows after a random wait. Requests until then get a response without one.
    const { location } = await vi.waitUntil(
      async () => {
        const answer = await browser.request("/api/auth/login");
        return answer.status === 302 ? answer : null;
      },
      { timeout: 30_000, interval: 100 },
    );
    const returned = await back.visit(location);
    const { status } = await browser.request(returned?.url ?? "");
    expect(status).toBe(302);
    await profileOf(browser);
  } finally {
    await back.close();
  }
});

logsStayQuiet(world);
