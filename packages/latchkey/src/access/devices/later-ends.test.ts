import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { handleRequest } from "../../../test/handle-request.ts";
import { type Browser, isSignedIn } from "../../../test/browser/browser.ts";
import { began } from "../../../test/sessions/signed-in-app.ts";
import { type QuickWorld, quickWorld } from "../../../test/worlds/quick-world.ts";
import { type Auth, createAuth } from "../../auth.ts";
import type { Device } from "./list-devices.ts";

let world: QuickWorld;
let here: Browser;
let there: Browser;
beforeEach(async () => {
  world = quickWorld({ options: { session: { stateful: true }, idpLogout: false } });
  [here, there] = [await world.signedIn(), await world.signedIn()];
});

const devicesOf = async (browser: Browser, auth?: Auth) =>
  (await world.handle(browser, (its) => its.devices(), auth)) ?? [];
const idOf = async (browser: Browser) => (await devicesOf(browser))[0]?.id ?? "";

async function endLater(id: string, browser = here): Promise<readonly Device[]> {
  return (await world.handle(browser, (its) => its.endDevice(id, { afterSeconds: 10 }))) ?? [];
}

async function undo(browser = here, ids?: readonly string[]): Promise<readonly Device[]> {
  return (await world.handle(browser, (its) => its.undoEnds(ids))) ?? [];
}

/** What the log says of ends, without the reasons that every test has. */
const told = () =>
  world.events.flatMap((event) => {
    if (event.event === "sign-out") return [event.reason];
    return event.event === "sign-out-undone" ? ["undone"] : [];
  });

const revocations = () => world.events.filter(({ event }) => event === "token-revocation");

/** Another process of the same app. */
const otherInstance = () => createAuth(world.options);

describe("a device that ends in ten seconds", () => {
  test("it stays signed in until then, and the list says when it ends", async () => {
    const [ended] = await endLater(await idOf(there));
    // The second that has begun is whole for the person.
    expect(ended?.ending).toEqual({ at: began + 11, canUndo: true });
    const [, listed] = await devicesOf(here);
    expect(listed?.ending).toEqual(ended?.ending);
    world.advance(5);
    expect(await isSignedIn(there)).toBe(true);
  });

  test("it is signed out then, without anybody doing more, and one event tells it", async () => {
    const id = await idOf(there);
    const [ended] = await endLater(id);
    world.advance(12);
    const peek = (await there.request("/_auth/session.json")).text;
    expect(JSON.parse(peek)).toMatchObject({ state: "ended", reason: "elsewhere" });
    expect(await isSignedIn(there)).toBe(false);
    expect(await devicesOf(here)).toHaveLength(1);
    const ends = world.events.filter(({ event }) => event.startsWith("sign-out"));
    const whose = { sub: "person-ada", session: id, cause: expect.any(String) };
    const effectiveAt = ended?.ending?.at;
    expect(ends).toEqual([{ event: "sign-out", reason: "device", ...whose, effectiveAt }]);
  });

  test("its record goes and its tokens are revoked then, though nobody looks", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await endLater(await idOf(there));
    await vi.advanceTimersByTimeAsync(9000);
    world.advance(11);
    expect(world.store.list("session|")).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(3000);
    expect(world.store.list("session|")).toHaveLength(1);
    expect(revocations()).not.toHaveLength(0);
  });

  test("whoever looks at the list then does so, where the process has died", async () => {
    await endLater(await idOf(there));
    world.advance(11);
    expect(world.store.list("session|")).toHaveLength(2);
    expect(await devicesOf(here, otherInstance())).toHaveLength(1);
    await expect.poll(() => world.store.list("session|")).toHaveLength(1);
    await expect.poll(revocations).not.toHaveLength(0);
  });

  test("nothing is waited for where it ends without a wait", async () => {
    const id = await idOf(there);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await world.handle(here, (its) => its.endDevice(id));
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a use just before does not prolong it", async () => {
    await endLater(await idOf(there));
    world.advance(9);
    expect(await isSignedIn(there)).toBe(true);
    world.advance(3);
    expect(await isSignedIn(there)).toBe(false);
  });

  test("the device that asks ends immediately where it names itself", async () => {
    const [ended] = await endLater(await idOf(here));
    expect(ended).toMatchObject({ isCurrent: true, ending: null });
    const cookies = await here.cookies();
    const request = new Request(world.baseURL, { headers: { cookie: cookies } });
    const { made } = await handleRequest(world.auth, request, async (its) => its.user);
    expect(made).toBeUndefined();
  });

  test("asking twice is asking once", async () => {
    const id = await idOf(there);
    await endLater(id);
    expect(await endLater(id)).toEqual([]);
    expect(told()).toEqual(["device"]);
  });

  test.each([-1, 0.5, 61, Number.NaN, Infinity])(
    "a wait of %d seconds is an error, and ends nothing",
    async (afterSeconds) => {
      const id = await idOf(there);
      await world.handle(here, async (its) => {
        await expect(its.endDevice(id, { afterSeconds })).rejects.toThrow("from 0 to 60");
        await expect(its.endDevices("others", { afterSeconds })).rejects.toThrow(TypeError);
      });
      expect(await isSignedIn(there)).toBe(true);
    },
  );
});

describe("taking it back", () => {
  test("the device stays signed in, and one event tells that", async () => {
    const id = await idOf(there);
    await world.handle(here, (its) => its.endDevice(id, { afterSeconds: 60 }));
    world.advance(55);
    expect((await undo()).map((device) => [device.id, device.ending])).toEqual([[id, null]]);
    world.advance(20);
    expect(await isSignedIn(there)).toBe(true);
    expect(await undo()).toEqual([]);
    expect(told()).toEqual(["device", "undone"]);
  });

  test("it is too late when the end has come", async () => {
    await endLater(await idOf(there));
    world.advance(12);
    expect(await undo()).toEqual([]);
    expect(await isSignedIn(there)).toBe(false);
    expect(told()).toEqual(["device"]);
  });

  test("one of several is named, and the others end", async () => {
    const third = await world.signedIn();
    await world.handle(here, (its) => its.endDevices("others", { afterSeconds: 10 }));
    expect(await undo(here, [await idOf(third)])).toHaveLength(1);
    world.advance(12);
    expect(await Promise.all([here, there, third].map(isSignedIn))).toEqual([true, false, true]);
    expect(told()).toEqual(["others", "others", "undone"]);
  });

  test("all are taken back together", async () => {
    await world.signedIn();
    await world.handle(here, (its) => its.endDevices("others", { afterSeconds: 10 }));
    expect(await undo()).toHaveLength(2);
    world.advance(12);
    expect(await devicesOf(here)).toHaveLength(3);
  });

  test("nobody but the device that asked can do it, least of all the one that ends", async () => {
    const third = await world.signedIn();
    await endLater(await idOf(there));
    for (const browser of [there, third, await world.signedIn("person-ben")]) {
      expect(await undo(browser)).toEqual([]);
    }
    expect((await devicesOf(third)).map(({ ending }) => ending?.canUndo)).toContain(false);
    world.advance(12);
    expect(await isSignedIn(there)).toBe(false);
  });

  test("an end that came another way meanwhile stays", async () => {
    const third = await world.signedIn();
    await world.handle(here, (its) => its.endDevices("others", { afterSeconds: 10 }));
    await there.request("/api/auth/logout");
    const copy = await third.cookies();
    await world.handle(here, async (its) => its.endDevice(await idOf(third)));
    expect(await undo()).toEqual([]);
    expect(await world.isSignedIn(copy)).toBe(false);
  });

  test("an operator's end of all sign-ins does not wait, and is not taken back", async () => {
    await endLater(await idOf(there));
    await world.auth.endUser("person-ada", { operator: "ticket 7" });
    expect(await undo()).toEqual([]);
    expect(await Promise.all([here, there].map(isSignedIn))).toEqual([false, false]);
  });
});

describe("a device that is about to end", () => {
  test("it cannot end others meanwhile", async () => {
    await endLater(await idOf(there));
    const id = await idOf(here);
    expect(await endLater(id, there)).toEqual([]);
    expect(await world.handle(there, (its) => its.endDevice(id))).toEqual([]);
    expect(await world.handle(there, (its) => its.endDevices("others"))).toEqual([]);
    world.advance(12);
    expect(await isSignedIn(here)).toBe(true);
  });

  test("signing out everywhere ends itself alone", async () => {
    await endLater(await idOf(there));
    const ended = await world.handle(there, (its) => its.endDevices("all"));
    expect(ended?.map(({ isCurrent }) => isCurrent)).toEqual([true]);
    expect(told()).toEqual(["device", "device"]);
    expect(await Promise.all([here, there].map(isSignedIn))).toEqual([true, false]);
  });
});
