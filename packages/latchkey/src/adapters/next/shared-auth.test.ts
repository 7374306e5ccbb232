import { expect, test } from "vitest";

import { askWith } from "../../../test/handle-request.ts";
import { jarOf } from "../../../test/browser/cookie-jar.ts";
import { goodSettings as validSettings } from "../../../test/settings.ts";
import { createAuth } from "../../host/auth.ts";
import type { LogEvent } from "../../telemetry/log-event.ts";
import { memoryStore } from "../../stores/memory.ts";
import { signedInCookies } from "../../testing/index.ts";
import { noteProxy, optionsOf, requestsOf, sharedAuth, warnWithoutProxy } from "./shared-auth.ts";

const goodSettings = {
  ...validSettings,
  log: () => undefined,
  fetch: () => Promise.reject(new Error("no network")),
};

test("the same settings give the same sign-in, and other settings another one [AD-038]", () => {
  const auth = sharedAuth({ ...goodSettings, hooks: {} });
  expect(sharedAuth({ ...goodSettings, hooks: { beforeSave: (session) => session } })).toBe(auth);
  expect(sharedAuth({ ...goodSettings, publicPaths: ["/"] })).not.toBe(auth);
});

test("the latest hooks apply", async () => {
  const settings = { ...goodSettings, publicPaths: ["/hooks"] };
  const hooksNaming = (name: string) => ({
    beforeSave: <T>(session: T): T => ({ ...session, savedBy: name }),
  });
  const cookies = await signedInCookies({ options: settings, session: { user: { sub: "ada" } } });
  const saved = async (hooks: object) => {
    const auth = sharedAuth({ ...settings, hooks });
    const { made } = await askWith(auth, jarOf(cookies), async (its) => {
      await its.update((data) => ({ ...data, theme: "dark" }));
      return its.session;
    });
    return made?.["savedBy"];
  };
  expect(await saved(hooksNaming("first"))).toBe("first");
  expect(await saved(hooksNaming("last"))).toBe("last");
  expect(await saved({})).toBeUndefined();
});

test("options of a sign-in from elsewhere throw", () => {
  sharedAuth(goodSettings);
  expect(() => optionsOf(createAuth(goodSettings))).toThrow("not made for Next.js");
});

test("an open store is used as it is", async () => {
  const store = memoryStore();
  const auth = sharedAuth({ ...goodSettings, publicPaths: ["/open"], store });
  await auth.ready();
  expect(optionsOf(auth).store).toBe(store);
});

test("a store is opened once, for all functions that open it [AD-038]", async () => {
  let opened = 0;
  const open = () => {
    opened += 1;
    return memoryStore();
  };
  const settings = { ...goodSettings, publicPaths: ["/once"] };
  await sharedAuth({ ...settings, store: open }).ready();
  await sharedAuth({ ...settings, store: open }).ready();
  const { store } = optionsOf(sharedAuth({ ...settings, store: open }));
  expect(await (typeof store === "function" ? store() : store)).toBeDefined();
  expect(opened).toBe(1);
});

test("a store is opened again if it failed to open", async () => {
  let tries = 0;
  const store = () => {
    tries += 1;
    if (tries === 1) throw new Error("not yet");
    return memoryStore();
  };
  const auth = sharedAuth({ ...goodSettings, publicPaths: ["/again"], store });
  await expect(auth.ready()).rejects.toThrow("not yet");
  await auth.ready();
  expect(tries).toBe(2);
});

test("a sign-in with another option repeats no warning", async () => {
  const events: LogEvent[] = [];
  const log = (event: LogEvent) => void events.push(event);
  const settings = { ...goodSettings, log, secret: "too-short-secret", warnings: ["mind the gap"] };
  const auth = sharedAuth(settings);
  await auth.ready();
  const warnings = () => events.filter(({ event }) => event === "warning").length;
  const count = warnings();
  expect(count).toBeGreaterThan(1);
  const other = createAuth({ ...optionsOf(auth), scope: "openid", instances: 2 });
  await other.ready();
  expect(warnings()).toBe(count);
});

test("a sign-in with another option logs its new warnings once, and each refusal", async () => {
  const events: LogEvent[] = [];
  const log = (event: LogEvent) => void events.push(event);
  const auth = sharedAuth({ ...goodSettings, log, publicPaths: ["/new"] });
  const options = { ...optionsOf(auth), warnings: ["mind the step"] };
  for (const other of [createAuth(options), createAuth(options)]) {
    await other.respond(new Request(`${goodSettings.baseURL}/api/auth/callback`), Response.error);
  }
  const told = events.map((each) => (each.event === "warning" ? each.message : each.event));
  expect(told.filter((each) => /step|refusal/.test(each)).toSorted()).toEqual([
    "mind the step",
    "refusal",
    "refusal",
  ]);
});

test("without a proxy, the log names the place of proxy.ts once", () => {
  const events: LogEvent[] = [];
  const log = (event: LogEvent) => void events.push(event);
  const auth = sharedAuth({ ...goodSettings, log, publicPaths: ["/unseen"] });
  warnWithoutProxy(auth);
  warnWithoutProxy(auth);
  expect(events).toEqual([
    { event: "warning", message: expect.stringContaining("Put proxy.ts beside the folder app") },
  ]);
});

test("after the proxy has run, a request outside its matcher causes no warning", () => {
  const events: LogEvent[] = [];
  const log = (event: LogEvent) => void events.push(event);
  const auth = sharedAuth({ ...goodSettings, log, publicPaths: ["/seen"] });
  noteProxy(auth);
  warnWithoutProxy(auth);
  expect(events).toEqual([]);
});

test("what is known of a request is shared with another copy of this package", async () => {
  const settings = { ...goodSettings, publicPaths: ["/copies"] };
  const requests = requestsOf(sharedAuth(settings));
  const address = "./shared-auth.ts?copy";
  const copy = (await import(address)) as { requestsOf: typeof requestsOf };
  expect(copy.requestsOf(sharedAuth(settings))).toBe(requests);
});
