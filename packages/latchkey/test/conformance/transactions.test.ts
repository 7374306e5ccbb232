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
import { responseTypes } from "./world/behavior-cases.ts";
import { type SetUp, startHostileWorld } from "./world/hostile-world.ts";
import { deliver, expectAnonymous, expectRefused, profileOf } from "./world/oracles.ts";
import { createQuickApp } from "../worlds/quick-app.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

/** Begins in one browser, and finishes with what another one was given. */
async function finishElsewhere(begun: Browser, other: Browser): Promise<Attempt> {
  const login = await startLogin(world, begun);
  const returned = await returnFrom(world, login);
  return { browser: other, login, returned, callback: await sendCallback(world, other, returned) };
}

describe("the app rejects a callback, without a token request,", () => {
  const unrelated = { isOurs: false, noCallTo: ["token", "userinfo"] } as const;

  test.each(responseTypes)(
    "in a browser without a sign-in, with response type %s (RFC 9700, 4.7) [STD-041, ATK-031, ATK-101, ASVS-10.1.2]",
    async (responseType) => {
      world.setUp({ options: { responseType } });
      const attempt = await finishElsewhere(world.browser(), world.browser());
      expectRefused(world, attempt, { ...unrelated, reason: "state_cookie_missing" });
    },
  );
});

describe("the app rejects the code of another browser", () => {
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

  test("by the nonce, if the provider ignores PKCE (RFC 9700, 4.5) [STD-042, ASVS-10.2.1]", async () => {
    expectRefused(world, await inject({ conduct: "STD-044" }), { reason: "token_nonce" });
  });
});

test("the app writes nothing into the store for 2,000 logins [ATK-058, REL-L03]", async () => {
  const writes: string[] = [];
  const store = watchedStore(memoryStore(), (operation) => {
    if (operation !== "get") writes.push(operation);
  });
  const app = createQuickApp({ store });
  for (let count = 0; count < 2000; count += 1) await app.begin();
  expect(writes).toEqual([]);
});

test("the app keeps two users with the same email address apart: a logout token for one leaves the other signed in [ATK-032, ASVS-10.5.2]", async () => {
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

logsStayQuiet(world);
