import { describe, expect, test } from "vitest";

import { askWith } from "../../test/handle-request.ts";
import { type Jar, jarAfter, jarOf } from "../../test/browser/cookie-jar.ts";
import { failingStore } from "../../test/failing-store.ts";
import { startWorld } from "../../test/worlds/world.ts";
import type { RequestAuth } from "../host/request-auth.ts";
import { type Auth, createAuth } from "../host/auth.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import { memoryStore } from "../stores/memory.ts";

/**
 * One app with `session.stateful` off and on at different instances, with the same store, secret
 * and provider.
 */
const store = failingStore(memoryStore());
const events: LogEvent[] = [];
// The tokens are always about to expire, and each refresh token is good once.
const world = await startWorld({
  provider: { lifetimes: { accessToken: 30 } },
  options: { store, session: { stateful: false } },
});
const [inCookies, inStore, alsoInStore] = [instance(false), instance(true), instance(true)];

function instance(stateful: boolean): Auth {
  return createAuth({ ...world.options, session: { stateful }, log: (each) => events.push(each) });
}

/** A browser whose requests go to an instance of choice. */
async function signedInBrowser() {
  const browser = world.browser();
  await browser.signIn("/private");
  let jar = jarOf(await browser.cookies());

  /** The response is put into the jar when the returned function is called. */
  async function send(auth: Auth, path: string, handle: (its: RequestAuth) => unknown) {
    const { made, response } = await askWith(auth, jar, handle, path);
    const receive = () => (jar = jarAfter(response.headers.getSetCookie(), jar));
    return { made, response, receive };
  }

  return {
    send,
    async ask(auth: Auth, handle: (its: RequestAuth) => unknown = (its) => its.user?.sub) {
      const { made, receive } = await send(auth, "/private", handle);
      receive();
      return made;
    },
    jar: () => jar,
    restore: (before: Jar) => (jar = before),
  };
}

const sub = "person-ada";
const isHandle = (jar: Jar) => /^[\w-]{16}\.[\w-]{43}\./.test(jar["appSession"] ?? "");
const token = (its: RequestAuth) => its.accessToken();

describe("sessions in cookies, after session.stateful is switched on [OP-067]", () => {
  test("continue while instances of both kinds respond, and after switching back", async () => {
    const browser = await signedInBrowser();
    for (let count = 0; count < 12; count += 1) {
      expect(await browser.ask(count % 3 === 0 ? inStore : inCookies)).toBe(sub);
    }
    expect(isHandle(browser.jar())).toBe(true);
    for (let count = 0; count < 3; count += 1) expect(await browser.ask(inCookies)).toBe(sub);
  });

  test("stay in cookies while the store is read-only", async () => {
    const browser = await signedInBrowser();
    store.fail(new Error("READONLY You can't write against a read only replica."), "add");
    for (let count = 0; count < 3; count += 1) expect(await browser.ask(inStore)).toBe(sub);
    store.fail(false);
    expect(isHandle(browser.jar())).toBe(false);
    await browser.ask(inStore);
    await browser.ask(inStore);
    expect(isHandle(browser.jar())).toBe(true);
  });

  test("spend each refresh token once, even in concurrent requests while they move", async () => {
    const browser = await signedInBrowser();
    events.length = 0;
    for (let round = 0; round < 5; round += 1) {
      const sent = await Promise.all(
        Array.from({ length: 6 }, (_, place) =>
          browser.send(place % 2 === 0 ? inStore : alsoInStore, "/private", token),
        ),
      );
      expect(sent.every(({ made }) => typeof made === "string")).toBe(true);
      for (const { receive } of sent.toReversed()) receive();
    }
    expect(isHandle(browser.jar())).toBe(true);
    const outcomes = events.flatMap((each) => (each.event === "refresh" ? [each.outcome] : []));
    expect(outcomes.filter((each) => each === "renewed").length).toBeGreaterThan(2);
    expect(outcomes).not.toContain("refused");
    expect(await browser.ask(inStore, token)).toEqual(expect.any(String));
  });

  test("end at logout, also for copies of the old cookie", async () => {
    const browser = await signedInBrowser();
    const copy = browser.jar();
    await browser.ask(inStore);
    await browser.ask(inStore);
    (await browser.send(inStore, "/api/auth/logout", () => null)).receive();
    expect(browser.jar()).not.toHaveProperty("appSession");
    browser.restore(copy);
    expect(await browser.ask(inStore)).toBeUndefined();
  });
});
