import { describe, expect, test } from "vitest";

import { memoryStore } from "../../src/stores/memory.ts";
import type { Browser } from "../browser/browser.ts";
import { watchedStore } from "../watched-store.ts";
import {
  type Attempt,
  returnFrom,
  sendCallback,
  signIn,
  startLogin,
  withParameter,
} from "./world/attempt.ts";
import { responseTypes } from "./world/behaviour-cases.ts";
import { type SetUp, startHostileWorld } from "./world/hostile-world.ts";
import {
  deliver,
  expectAnonymous,
  expectRefused,
  expectSignedIn,
  profileOf,
} from "./world/oracles.ts";
import { createQuickApp } from "../worlds/quick-app.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

/** Begins in one browser, and finishes with what another one was given. */
async function finishElsewhere(begun: Browser, other: Browser): Promise<Attempt> {
  const login = await startLogin(world, begun);
  const returned = await returnFrom(world, login);
  return { browser: other, login, returned, callback: await sendCallback(world, other, returned) };
}

describe("a callback is refused, without a token request,", () => {
  const nobodys = { isOurs: false, noCallTo: ["token", "userinfo"] } as const;

  test.each(responseTypes)(
    "in a browser that has begun no sign-in, with response type %s (RFC 9700, 4.7) [STD-041, ATK-031, ATK-101, ASVS-10.1.2]",
    async (responseType) => {
      world.setUp({ options: { responseType } });
      const attempt = await finishElsewhere(world.browser(), world.browser());
      expectRefused(world, attempt, { ...nobodys, reason: "state_cookie_missing" });
    },
  );

  test.each(responseTypes)(
    "in a browser that has begun another sign-in, which can still be finished, with response type %s (RFC 9700, 4.7) [STD-041, ATK-031, ASVS-10.1.2]",
    async (responseType) => {
      world.setUp({ options: { responseType } });
      const other = world.browser();
      const own = await startLogin(world, other, "/private");
      const attempt = await finishElsewhere(world.browser(), other);
      expectRefused(world, attempt, { ...nobodys, reason: "state_mismatch" });
      const returned = await returnFrom(world, own);
      const callback = await sendCallback(world, other, returned);
      await expectSignedIn(world, { browser: other, login: own, returned, callback });
    },
  );

  test("when its transaction was answered before, even if the cookie is put back (RFC 9700, 4.7) [STD-041, STD-013]", async () => {
    world.setUp();
    const browser = world.browser();
    const login = await startLogin(world, browser);
    const cookie = await browser.cookies();
    const { url } = await returnFrom(world, login);
    expect((await browser.request(url)).status).toBe(302);
    world.provider.resetLog();
    const again = await world.browser().request(url, { headers: { cookie } });
    expect(again.status).toBe(400);
    const other = await returnFrom(world, login);
    const fresh = await world.browser().request(other.url, { headers: { cookie } });
    expect(fresh.status).toBe(400);
    expect(world.provider.requestsTo("token")).toEqual([]);
  });
});

describe("a code of another browser is refused", () => {
  /** The victim's state with the attacker's code. */
  async function inject(setUp: SetUp): Promise<Attempt> {
    world.setUp(setUp);
    const attackers = await returnFrom(world, await startLogin(world, world.browser()));
    const code = new URL(attackers.url).searchParams.get("code") ?? "";
    return signIn(world, { tamper: withParameter("code", code) });
  }

  test("by PKCE (RFC 9700, 4.5) [STD-042, ASVS-10.2.1]", async () => {
    expectRefused(world, await inject({}), { reason: "code_rejected" });
  });

  test("by the nonce, where the provider ignores PKCE (RFC 9700, 4.5) [STD-042, ASVS-10.2.1]", async () => {
    expectRefused(world, await inject({ conduct: "STD-044" }), { reason: "id_token_nonce" });
  });
});

test.each(["", undefined, "undefined", "null"])(
  "a callback is refused when the state of the authorization response is %j [ATK-019]",
  async (state) => {
    world.setUp();
    const attempt = await signIn(world, { tamper: withParameter("state", state) });
    expectRefused(world, attempt, { isOurs: false, noCallTo: ["token", "userinfo"] });
  },
);

test("2,000 logins write nothing into the store [ATK-058, REL-L03]", async () => {
  const writes: string[] = [];
  const store = watchedStore(memoryStore(), (operation) => {
    if (operation !== "get") writes.push(operation);
  });
  const app = createQuickApp({ store });
  for (let count = 0; count < 2000; count += 1) await app.begin();
  expect(writes).toEqual([]);
});

const another: NonNullable<SetUp["conduct"]> = {
  idToken: { claims: (own) => ({ ...own, sub: "another-person", email: "other@example.com" }) },
  userinfo: () => ({ sub: "another-person" }),
};

test.each([false, true])(
  "a sign-in ends the session that the browser had before, and keeps nothing of it; stateful: %s [ATK-021, ATK-015, ATK-063, ASVS-7.2.4]",
  async (stateful) => {
    const store = memoryStore();
    const options = { store, session: { stateful } };
    world.setUp({ options });
    const { browser } = await signIn(world);
    const planted = await browser.cookies();
    const before = await profileOf(browser);
    world.setUp({ options, conduct: another });
    const second = await signIn(world, { browser });
    const person = { sub: "another-person", email: "other@example.com" };
    expect(await profileOf(browser)).toMatchObject(person);
    expect(Object.values(await profileOf(browser))).not.toContain(before["email"]);
    expect(second.callback?.events).toContainEqual({
      event: "sign-out",
      reason: "replaced",
      sub: before["sub"],
      session: expect.any(String) as string,
    });
    expect(await browser.cookies()).not.toContain(planted);
    await expectAnonymous(world, planted);
    // Until then the browser may have a newer one.
    world.advance(60);
    await expectAnonymous(world, planted, { clears: true });
  },
);

test("two users with the same email address stay two users: a logout token for one leaves the other signed in [ATK-032, ASVS-10.5.2]", async () => {
  const signInAs = (sub: string) => {
    const claims = (own: object) => ({ ...own, sub, email: "a@example.com" });
    world.setUp({ conduct: { idToken: { claims } }, options: { userinfo: "never" } });
    return signIn(world);
  };
  const [first, second] = [await signInAs("ada"), await signInAs("eve")];
  await deliver(world, world.provider.mintLogoutToken({ sub: "eve", sid: undefined }));
  expect(await profileOf(first.browser)).toMatchObject({ sub: "ada" });
  await expectAnonymous(world, second.browser);
});

const odd = ["org_good ", " org_good", ["org_good"], { 0: "org_good" }];

test.each(["ORG_GOOD", "org_good.", "org_góod", "org_good@evil", ...odd])(
  "a sign-in whose org_id is %j is refused where org_good is required [ATK-032]",
  async (claim) => {
    world.setUp({
      conduct: { idToken: { claims: (own) => ({ ...own, org_id: claim }) } },
      options: { organization: "org_good", userinfo: "never" },
    });
    const attempt = await signIn(world);
    expectRefused(world, attempt, { reason: "organization_mismatch" });
    await expectAnonymous(world, attempt.browser);
  },
);

logsStayQuiet(world);
