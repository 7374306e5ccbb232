import { describe, expect, test } from "vitest";

import type { Jar } from "../browser/cookie-jar.ts";
import { createDevice } from "../browser/device.ts";
import { deviceWorldWithStore } from "../sessions/device-world.ts";

/** An app with the defaults of the preset. It authenticates by a secret, which is allowed. */
function hardenedWorld() {
  return deviceWorldWithStore({
    preset: "hardened",
    clientAuthMethod: "client_secret_basic",
    session: { deviceBound: undefined, stateful: undefined },
  });
}

/** The cookies of a browser, without those whose name has this end. */
function without(jar: Jar, end: string): Jar {
  return Object.fromEntries(Object.entries(jar).filter(([name]) => !name.endsWith(end)));
}

describe("the preset hardened", () => {
  test("keeps a session in a cookie that no other host can set [ASVS-3.3.3]", async () => {
    const { signIn, open } = hardenedWorld();
    const { callback, jar } = await signIn();
    const { "__Host-appSession": value = "", ...others } = jar;
    const [line = ""] = callback.headers
      .getSetCookie()
      .filter((each) => each.startsWith("__Host-appSession="));
    expect(line).toMatch(/; Path=\/(?:;|$)/);
    expect(line).toMatch(/; Secure(?:;|$)/);
    expect(line).not.toMatch(/; Domain=/);
    expect((await open(jar)).isPage).toBe(true);
    expect((await open({ ...others, appSession: value })).isPage).toBe(false);
  });

  test("ends a session after twelve hours of use [ASVS-7.3.2]", async () => {
    const { signIn, open, advance } = hardenedWorld();
    let { jar } = await signIn();
    for (let hours = 0; hours < 12; hours += 1 / 4) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const opened = await open(jar);
      expect([hours, opened.isPage]).toEqual([hours, true]);
      ({ jar } = opened);
      advance(900);
    }
    expect((await open(jar)).isPage).toBe(false);
  });

  test("ends every copy of a session with its logout [ASVS-7.4.1]", async () => {
    const { app, signIn, open } = hardenedWorld();
    const { jar } = await signIn();
    expect((await open(jar)).isPage).toBe(true);
    await app.ask("/api/auth/logout", { jar });
    expect((await open(jar)).isPage).toBe(false);
  });

  test("notices the use of a session on another device [ASVS-10.3.5]", async () => {
    const { app, signIn, open, advance } = hardenedWorld();
    const { callback, jar } = await signIn();
    const { jar: proof } = await (await createDevice(app)).register(callback);
    const { jar: marked } = await open({ ...jar, ...proof });
    advance(61);
    const noticed = () =>
      app.events.filter(
        (event) => event.event === "warning" && event.message.includes("bound to a device"),
      ).length;
    await open(marked);
    expect(noticed()).toBe(0);
    expect((await open(without(marked, ".device"))).isPage).toBe(true);
    expect(noticed()).toBe(1);
  });
});
