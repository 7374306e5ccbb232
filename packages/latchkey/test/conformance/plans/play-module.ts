import { behaviorOf } from "@latchkey/provider/hostile";
import { decodeJwt } from "jose";
import { expect } from "vitest";

import type { Browser } from "../../browser/browser.ts";
import { type Attempt, endpointsOf, returnFrom, sendCallback, signIn } from "../world/attempt.ts";
import {
  deliver,
  expectAnonymous,
  expectLogoutRefused,
  expectLogoutTaken,
  expectRefused,
  expectSignedIn,
} from "../world/oracles.ts";
import type { PlanWorld } from "./plan-world.ts";
import type { Module, Outcome } from "./plans.ts";

type Run = (world: PlanWorld, module: Module) => Promise<void>;

/**
 * Plays a module as the suite does, and checks its own subject.
 *
 * @returns The duties of every module that the client has broken.
 */
export async function playModule(world: PlanWorld, module: Module): Promise<readonly string[]> {
  await world.begin();
  await runs[module.client](world, module);
  return world.judge();
}

const runs: Readonly<Record<Outcome, Run>> = {
  finish: async (world, module) => expectFinished(world, await attemptUnder(world, module)),
  "request claims": async (world, module) => {
    await expectFinished(world, await attemptUnder(world, module));
    const requests = world.provider.requestsTo("authorization");
    const scopes = requests.flatMap(({ query }) => (query.get("scope") ?? "").split(" "));
    expect(scopes.filter((scope) => scopesOfClaims.includes(scope))).not.toEqual([]);
  },
  stop: async (world, module) => expectStopped(world, await attemptUnder(world, module)),
  "finish or stop": async (world, module) => {
    const attempt = await attemptUnder(world, module);
    const isRefused = attempt.callback?.answer.status === 400;
    await (isRefused ? expectStopped(world, attempt) : expectFinished(world, attempt));
  },
  "drop userinfo": async (world, module) => {
    expectRefused(world, await attemptUnder(world, module), { noCallTo: [] });
    expect(world.provider.requestsTo("userinfo")).toHaveLength(1);
  },
  "request nothing": async (world, module) => {
    const { login } = await attemptUnder(world, module);
    expect([login.status, login.location]).toEqual([500, ""]);
    expect(new Set(endpointsOf(world.provider.requests))).toEqual(new Set(["metadata"]));
  },
  "start for a third party": startForThirdParty,
  refresh: async (world, module) => {
    const { browser } = await attemptUnder(world, module);
    const { status, text } = await browser.request("/refresh");
    expect(status).toBe(200);
    await browser.request("/api/auth/me");
    const called = world.provider.requestsTo("userinfo").at(-1);
    expect(called?.headers.authorization).toBe(`Bearer ${text}`);
  },
  "refuse the refresh": async (world, module) => {
    const { browser } = await attemptUnder(world, module);
    expect((await browser.request("/refresh")).status).not.toBe(200);
    expect(world.provider.requestsTo("refresh")).toHaveLength(1);
    expect(world.provider.requestsTo("userinfo")).toHaveLength(1);
  },
  "return signed out": returnSignedOut,
  "answer 200": async (world, module) => {
    await logOut(world, module, async () => expectLogoutTaken(await sendLogoutToken(world), 200));
  },
  "answer 400": async (world, module) => {
    await logOut(world, module, async () =>
      expectLogoutRefused(world, await sendLogoutToken(world)),
    );
  },
  "load in a frame": async (world, module) => {
    await logOut(world, module, (hint) => loadFrame(world, hint));
  },
};

/** OpenID Connect Core 1.0, section 5.4. */
const scopesOfClaims = ["profile", "email", "phone", "address"];

/** The provider of the suite has odd metadata in every module. */
const everywhere = "CERT-013";
const page = "/hello";

/** One sign-in under the fault; a fault of a second sign-in comes after a good one. */
async function attemptUnder(world: PlanWorld, { behavior }: Module): Promise<Attempt> {
  const browser = world.browser();
  if (behaviorOf(behavior).needs?.secondSignIn) {
    world.provider.behave(everywhere);
    await expectFinished(world, await signIn(world, { browser, returnTo: page }));
  }
  world.provider.behave([everywhere, behavior]);
  return signIn(world, { browser, returnTo: page });
}

async function expectFinished(
  world: PlanWorld,
  attempt: Attempt,
  location = `${world.baseURL}${page}`,
): Promise<void> {
  const profile = await expectSignedIn(world, attempt, { location });
  expect(profile).toMatchObject({ email: "hedwig@example.com" });
  const calls = endpointsOf(attempt.callback?.calls ?? []);
  expect(calls.filter((endpoint) => endpoint === "userinfo")).toHaveLength(1);
}

/** The suite waits for five seconds. */
async function expectStopped(world: PlanWorld, attempt: Attempt): Promise<void> {
  expectRefused(world, attempt);
  const before = world.provider.requests.length;
  world.advance(5);
  await expectAnonymous(world, attempt.browser);
  expect(world.provider.requests.slice(before)).toEqual([]);
}

/** OpenID Connect Core 1.0, section 4. */
async function startForThirdParty(world: PlanWorld): Promise<void> {
  world.provider.behave(everywhere);
  const browser = world.browser();
  const address = new URL(world.address("initiate_login_uri"));
  expect(address.protocol).toBe("https:");
  address.searchParams.set("iss", world.provider.issuer);
  const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  const login = await browser.request(address.href, { headers });
  const returned = await returnFrom(world, login);
  const callback = await sendCallback(world, browser, returned);
  await expectFinished(world, { browser, login, returned, callback }, `${world.baseURL}/`);
}

async function returnSignedOut(world: PlanWorld, module: Module): Promise<void> {
  const before = world.events.length;
  const { left, back } = await logOut(world, module, async () =>
    expectLogoutTaken(await sendLogoutToken(world), 200),
  );
  const [sent, returned] = [left, back].map((url) => url.searchParams.get("state"));
  expect(sent).not.toBeNull();
  expect(world.events.slice(before).some((event) => event.event === "logout-state-mismatch")).toBe(
    sent !== returned,
  );
}

/**
 * The order of the suite: the client ends its session and sends the browser to the provider, which
 * then notifies the client, and only then sends the browser back.
 *
 * @param notify with the ID token that came as a hint
 */
async function logOut(
  world: PlanWorld,
  module: Module,
  notify: (hint: string) => Promise<void>,
): Promise<{ readonly left: URL; readonly back: URL }> {
  const attempt = await attemptUnder(world, module);
  await expectFinished(world, attempt);
  const left = new URL((await attempt.browser.request("/api/auth/logout")).location);
  const ended = await fetch(left, { redirect: "manual" });
  await notify(left.searchParams.get("id_token_hint") ?? "");
  const back = new URL(ended.headers.get("location") ?? "");
  await expectReturn(world, attempt.browser, back);
  return { left, back };
}

async function expectReturn(world: PlanWorld, browser: Browser, back: URL): Promise<void> {
  expect(back.href.split("?", 1)).toEqual([world.address("post_logout_redirect_uri")]);
  expect((await browser.open(back.href)).status).toBe(200);
  await expectAnonymous(world, browser);
}

function sendLogoutToken(world: PlanWorld) {
  return deliver(
    world,
    new URLSearchParams({
      logout_token: world.provider.mintLogoutToken(),
      ignored_parameter: "ignored",
    }),
  );
}

/** Front-Channel Logout 1.0, section 3: `frontchannel_logout_session_required` is true. */
async function loadFrame(world: PlanWorld, hint: string): Promise<void> {
  const address = new URL(world.address("frontchannel_logout_uri"));
  const { iss, sid } = decodeJwt(hint);
  address.search = new URLSearchParams({ iss: String(iss), sid: String(sid) }).toString();
  const headers = { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" };
  const before = world.events.length;
  const frame = await world.browser().request(address.href, { headers });
  expect(frame.status).toBe(200);
  expect(world.events.slice(before)).toEqual([
    expect.objectContaining({ event: "sign-out", reason: "frontchannel", sid }),
  ]);
  expect(frame.headers.get("content-security-policy")).toContain(
    `frame-ancestors ${new URL(world.provider.issuer).origin}`,
  );
  expect(frame.headers.has("x-frame-options")).toBe(false);
}
