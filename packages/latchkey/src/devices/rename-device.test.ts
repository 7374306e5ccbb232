import { beforeEach, describe, expect, test } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import type { Browser } from "../../test/browser/browser.ts";
import { ownTime } from "../../test/own-time.ts";
import { type QuickWorld, quickWorld } from "../../test/worlds/quick-world.ts";

let world: QuickWorld;
let here: Browser;
let there: Browser;
beforeEach(async () => {
  world = quickWorld({ options: { session: { stateful: true }, idpLogout: false } });
  [here, there] = [await world.signedIn(), await world.signedIn()];
});

const namesSeenBy = async (browser: Browser) =>
  ((await world.handle(browser, (its) => its.devices())) ?? []).map(({ name }) => name);
const idOf = async (browser: Browser) =>
  (await world.handle(browser, (its) => its.devices()))?.[0]?.id ?? "";
const rename = (browser: Browser, id: string, name: string) =>
  world.handle(browser, (its) => its.renameDevice(id, name));

describe("the name of a device", () => {
  test("this device and another one are called as their person says, wherever the list is seen", async () => {
    expect(await rename(here, await idOf(here), " Kitchen ")).toMatchObject({ name: "Kitchen" });
    expect(await rename(here, await idOf(there), "هاتف العمل")).toMatchObject({
      name: "هاتف العمل",
      isCurrent: false,
    });
    expect(await namesSeenBy(here)).toEqual(["Kitchen", "هاتف العمل"]);
    expect(await namesSeenBy(there)).toEqual(["هاتف العمل", "Kitchen"]);
  });

  test("the request that renames its own device sees the new name in its session", async () => {
    const id = await idOf(here);
    const session = await world.handle(here, async (its) => {
      await its.renameDevice(id, "Kitchen");
      return its.session;
    });
    expect(session).toMatchObject({ device: { name: "Kitchen" } });
  });

  test("an empty name, or one with nothing to see, takes the name away", async () => {
    const id = await idOf(there);
    await rename(here, id, "Old");
    expect(await rename(here, id, "\u200B ")).toMatchObject({ name: "" });
  });

  test("it survives renewals of its session, also at the same moment", async () => {
    const id = await idOf(there);
    const cookie = await there.cookies();
    const request = new Request(world.baseURL, { headers: { cookie } });
    await handleRequest(world.auth, request, async () => void (await rename(here, id, "Tablet")));
    world.advance(3600);
    await there.request("/api/auth/me");
    expect(await namesSeenBy(there)).toEqual(["Tablet", ""]);
  });

  test("it survives a refresh of the access token", async () => {
    const id = await idOf(there);
    await rename(here, id, "Tablet");
    await world.handle(there, (its) => its.accessToken({ refresh: true }));
    expect(world.events).toContainEqual(
      expect.objectContaining({ event: "refresh", outcome: "renewed" }),
    );
    expect(await namesSeenBy(there)).toEqual(["Tablet", ""]);
  });

  test("the next sign-in of the same person in the same browser takes it over, and that of another does not", async () => {
    await rename(there, await idOf(there), "Tablet");
    await there.signIn("/api/auth/login");
    expect(await namesSeenBy(there)).toEqual(["Tablet", ""]);
    await there.signIn("/api/auth/login?prompt=select_account", "person-ben");
    expect(await namesSeenBy(there)).toEqual([""]);
  });

  test("a name is kept until its device is signed out", async () => {
    await rename(there, await idOf(there), "Tablet");
    await there.request("/api/auth/logout");
    await there.signIn("/api/auth/login");
    expect(await namesSeenBy(there)).toEqual(["", ""]);
  });

  test("a name of 200,000 accents is an error in a moment", async () => {
    const before = ownTime();
    const renaming = rename(here, "any", "\u0301\u0316".repeat(100_000));
    await expect(renaming).rejects.toThrow(RangeError);
    expect(ownTime() - before).toBeLessThan(1000);
  });

  test("a name has at most 60 characters without the blanks around it, however many those are", async () => {
    const name = "x".repeat(60).padStart(1200);
    expect(await rename(here, await idOf(there), name)).toMatchObject({ name: "x".repeat(60) });
  });

  test("a name of more than 60 characters is an error, and the former one stays", async () => {
    const id = await idOf(there);
    await rename(here, id, "x".repeat(60));
    await world.handle(here, async (its) => {
      await expect(its.renameDevice(id, "x".repeat(61))).rejects.toThrow("at most 60 characters");
    });
    expect(await namesSeenBy(here)).toEqual(["", "x".repeat(60)]);
  });

  test("a user cannot rename a device of another user or an unknown one", async () => {
    const id = await idOf(there);
    expect(await rename(await world.signedIn("person-ben"), id, "Mine")).toBeNull();
    expect(await rename(here, "AAAAAAAAAAAAAAAAAAAAAA", "Mine")).toBeNull();
    expect(await namesSeenBy(here)).toEqual(["", ""]);
  });
});

describe("the network of a device", () => {
  const from = "203.0.113.7";

  async function networksWith(networkFrom: string | undefined, headers: Record<string, string>) {
    const apart = quickWorld({
      options: { session: { stateful: true, networkFrom }, idpLogout: false },
    });
    const browser = apart.browser();
    const { address, init } = await browser.untilCallback();
    const sent = { ...(init.headers as Record<string, string>), ...headers };
    await browser.request(address, { ...init, headers: sent });
    const request = new Request(apart.baseURL, { headers: { cookie: await browser.cookies() } });
    const { made } = await handleRequest(apart.auth, request, (its) => its.devices());
    const kept = await apart.store.get(apart.store.list("session|"));
    expect(kept.join()).not.toContain(from);
    return made?.map(({ network }) => network);
  }

  test("it is kept, shortened, if the settings name its header", async () => {
    expect(await networksWith("x-real-ip", { "x-real-ip": from })).toEqual(["203.0.113.…"]);
    expect(await networksWith("x-real-ip", { "x-forwarded-for": from })).toEqual([null]);
  });

  test("it is not kept by default", async () => {
    expect(await networksWith(undefined, { "x-forwarded-for": from })).toEqual([null]);
  });
});
