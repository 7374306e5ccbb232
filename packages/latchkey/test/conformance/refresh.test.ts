import { describe, expect, test } from "vitest";

import { AccessTokenError, type Options } from "../../src/index.ts";
import type { Browser } from "../browser/browser.ts";
import { signIn } from "./world/attempt.ts";
import { titledCases } from "./world/behavior-cases.ts";
import { subjects } from "./world/behavior-subjects.ts";
import { type SetUp, startHostileWorld } from "./world/hostile-world.ts";
import { profileOf } from "./world/oracles.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

/** A page with its access token and session. */
const page: NonNullable<SetUp["page"]> = async (request, auth) => {
  const isForced = new URL(request.url).searchParams.has("refresh");
  try {
    const accessToken = await auth.of(request).accessToken({ refresh: isForced });
    const { session } = auth.of(request);
    return Response.json({ accessToken, session });
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    const { session } = auth.of(request);
    return Response.json({ error: error.code, message: error.message, session }, { status: 500 });
  }
};

interface Shown {
  readonly accessToken?: string;
  readonly error?: string;
  readonly message?: string;
  readonly session: {
    readonly user: { readonly sub: string };
    readonly accessToken?: string;
    readonly refreshToken?: string;
    readonly idToken?: string;
  } | null;
}

async function show(browser: Browser, path = "/private"): Promise<Shown> {
  return JSON.parse((await browser.request(path)).text) as Shown;
}

async function signedIn(options: Partial<Options> = {}, setUp: SetUp = {}): Promise<Browser> {
  world.setUp({ page, options, ...setUp });
  world.provider.resetLog();
  const { browser, callback } = await signIn(world);
  expect(callback?.answer.status).toBe(302);
  return browser;
}

const [refreshes] = subjects["refresh.test.ts"];
const cases = titledCases(refreshes, ["code"]);

describe("the app fails a refresh, without a change of the session or a userinfo request, when the provider", () => {
  test.each(cases("refresh-fails"))("%s", async (_, { name }) => {
    const browser = await signedIn();
    const before = await show(browser);
    world.provider.behave(name);
    world.provider.resetLog();
    const answer = await show(browser, "/private?refresh");
    expect(answer.error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(answer.session?.user).toEqual(before.session?.user);
    expect(answer.session?.accessToken).toBe(before.session?.accessToken);
    expect(answer.session?.idToken).toBe(before.session?.idToken);
    expect(world.provider.requestsTo("userinfo")).toEqual([]);
    expect(world.events.at(-1)).toMatchObject({
      event: "refresh",
      outcome: name === "STD-053/server-error" ? "transient" : "refused",
    });
    await profileOf(browser);
  });
});

describe("the app refreshes when the provider", () => {
  test.each(cases("refresh-succeeds"))("%s", async (_, { name }) => {
    const browser = await signedIn();
    const before = await show(browser);
    world.provider.behave(name);
    const first = await show(browser, "/private?refresh");
    const second = await show(browser, "/private?refresh");
    const tokens = [before, first, second].map(({ accessToken }) => accessToken);
    expect(new Set(tokens).size).toBe(3);
    expect(tokens).not.toContain(undefined);
    const keeps = name === "STD-025/no-new-token";
    expect(second.session?.refreshToken === before.session?.refreshToken).toBe(keeps);
    expect(await profileOf(browser)).toEqual(before.session?.user);
  });
});

test.each(["STD-024/nonce", "CERT-051"] as const)(
  "the app compares a second refreshed ID token with the first one: %s (OpenID Connect Core 12.2) [STD-024]",
  async (name) => {
    const browser = await signedIn();
    expect((await show(browser, "/private?refresh")).error).toBeUndefined();
    world.provider.behave(name);
    const { error, message } = await show(browser, "/private?refresh");
    expect(error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(message).not.toContain("invalid_grant");
  },
);

logsStayQuiet(world);
