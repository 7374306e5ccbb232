import { describe, expect, test, vi } from "vitest";

import { jarAfter } from "../../test/browser/cookie-jar.ts";
import { createDevice, post } from "../../test/browser/device.ts";
import { asDocument, deviceWorld, deviceWorldWithStore } from "../../test/sessions/device-world.ts";
import type { Measurement } from "../telemetry/telemetry.ts";
import { createQuickApp, type QuickApp } from "../../test/worlds/quick-app.ts";

const places = [
  ["the cookie", deviceWorld],
  ["a store", deviceWorldWithStore],
] as const;

describe.each(places)("a bound session in %s", (_, create) => {
  test("is worth nothing as a copy, and its owner goes on [DB-004]", async () => {
    const { app, open, bound } = create();
    const { session, renew } = await bound();
    const copied = await open(session);
    expect([copied.response.status, copied.isPage]).toEqual([302, false]);
    expect(copied.response.headers.get("location")).toContain("/api/auth/login");
    expect(copied.response.headers.getSetCookie()).toEqual([]);
    expect((await app.ask("/api/auth/me", { jar: session })).status).toBe(204);
    const script = await app.open("/api/data", { jar: session });
    expect([script.status, await script.json()]).toMatchObject([
      401,
      { error: "device_proof_missing" },
    ]);
    expect((await open({ ...session, ...(await renew()) })).isPage).toBe(true);
  });

  test("is worth ten minutes as a copy with its proof [DB-004]", async () => {
    const { open, bound, advance } = create();
    const { session, jar } = await bound();
    const all = { ...session, ...jar };
    expect((await open(all)).isPage).toBe(true);
    advance(540);
    expect((await open(all)).isPage).toBe(false);
  });

  test.each([
    "unreachable",
    "server_error",
    "quota_exceeded",
    '"unreachable"',
    "unreachable;x",
    "",
  ])("is not served without a proof because a request says %j [DB-007]", async (skipped) => {
    const { open, bound } = create();
    const { session } = await bound();
    const headers = { "secure-session-skipped": skipped };
    expect((await open(session, headers)).isPage).toBe(false);
  });

  test.each([
    "unreachable",
    "server_error",
    'server_error;session_identifier="x"',
    "x, unreachable",
  ])(
    "leads to no sign-in while the browser says %j: it proves its key later [DB-006]",
    async (skipped) => {
      const { app, open, bound } = create();
      const { session, renew } = await bound();
      const headers = { "secure-session-skipped": skipped };
      const page = await open(session, { ...asDocument, ...headers });
      expect([page.response.status, page.response.headers.getSetCookie()]).toEqual([503, []]);
      expect(page.response.headers.get("retry-after")).toBe("5");
      const html = await page.response.text();
      expect(html).toContain("device_proof_missing");
      expect(html).toContain('href="https://app.example/api/auth/login?returnTo=%2Fpage">Sign in<');
      const script = await app.open("/api/data", { jar: session, headers });
      expect([script.status, await script.json()]).toMatchObject([
        503,
        { error: "ERR_DEVICE_PROOF_MISSING" },
      ]);
      const state = await app.ask("/_auth/session.json", { jar: session, headers });
      const me = await app.ask("/api/auth/me", { jar: session, headers });
      expect([state.status, me.status]).toEqual([503, 503]);
      expect((await open({ ...session, ...(await renew()) }, headers)).isPage).toBe(true);
    },
  );

  test("can be replaced by a sign-in while the browser cannot reach the route of proofs [DB-006]", async () => {
    const { app, open, bound } = create();
    const { session } = await bound();
    const headers = { "secure-session-skipped": "unreachable" };
    const { status } = await app.ask("/api/auth/login", { jar: session, headers });
    expect(status).toBe(302);
    const jar = await app.signIn(session);
    expect((await open(jar, headers)).isPage).toBe(true);
  });

  test("does not accept the proof of another session, nor of another key [DB-010]", async () => {
    const { app, open, bound, signIn, advance } = create();
    const [one, other] = [await bound(), await bound()];
    expect((await open({ ...one.session, ...other.jar })).isPage).toBe(false);
    const { callback, jar } = await signIn();
    const [owner, thief] = [await createDevice(app), await createDevice(app)];
    const owned = await owner.register(callback);
    const stolen = await thief.register(callback);
    const { jar: marked } = await open({ ...jar, ...owned.jar });
    advance(61);
    expect((await open({ ...marked, ...stolen.jar })).isPage).toBe(false);
    expect((await open({ ...marked, ...owned.jar })).isPage).toBe(true);
  });

  test("is ended by a sign-out without a proof [DB-009]", async () => {
    const { app, bound } = create();
    const { device, session, ...registered } = await bound();
    const { headers } = await app.ask("/api/auth/logout", { jar: session });
    expect(headers.getSetCookie().join()).toContain("appSession=;");
    expect(await (await device.refresh(registered)).json()).toMatchObject({ continue: false });
  });

  test("is not bound before its browser has proved a key [DB-001]", async () => {
    const { open, signIn, advance } = create();
    const { jar } = await signIn();
    advance(3000);
    expect((await open(jar)).isPage).toBe(true);
  });

  test("goes on with a rotated secret, and not without the old one [DB-015]", async () => {
    const { app, bound } = create();
    const { device, ...registered } = await bound();
    const { secret, ...options } = app.options;
    const both = createQuickApp(
      { ...options, secret: ["b".repeat(40), String(secret)] },
      app.provider,
    );
    const alone = createQuickApp({ ...options, secret: "b".repeat(40) }, app.provider);
    const refreshAt = async (at: QuickApp) =>
      post(at, registered.refreshAddress, {
        "sec-secure-session-id": registered.identifier,
        "secure-session-response": await device.prove(registered.challenge, false),
      });
    expect([(await refreshAt(both)).status, (await refreshAt(alone)).status]).toEqual([200, 400]);
  });
});

test("after a sign-out without a store, copies of a bound session end within ten minutes [DB-018]", async () => {
  const { app, bound } = deviceWorld();
  const { session, renew } = await bound();
  const signedOut = await app.ask("/api/auth/logout", { jar: { ...session, ...(await renew()) } });
  const remembered = jarAfter(signedOut.headers.getSetCookie())["auth_logout"] ?? "";
  const [, copiesEndBy] = decodeURIComponent(remembered).split(".");
  const now = Math.floor((app.options.clock?.() ?? 0) / 1000);
  expect(Number(copiesEndBy)).toBe(now + 600);
});

test("a copy that was taken before its session was bound is bound with it, in a store", async () => {
  const { app, open, signIn, advance } = deviceWorldWithStore();
  const { callback, jar: copied } = await signIn();
  const { jar } = await (await createDevice(app)).register(callback);
  await open({ ...copied, ...jar });
  advance(61);
  expect((await open(copied)).isPage).toBe(false);
});

test("a new sign-in of the same user ends a session without a proof, as activity says [DB-018]", async () => {
  const { app, bound } = deviceWorldWithStore({ activity: true });
  const { device, session, jar: _proof, ...registered } = await bound();
  const jar = await app.signIn(session);
  expect(await (await device.refresh({ ...registered, jar })).json()).toMatchObject({
    continue: false,
  });
  const shown = await app.open("/page", { jar }, async (auth) =>
    Response.json({ activity: await auth.activity(), devices: await auth.devices() }),
  );
  const { activity, devices } = (await shown.json()) as Record<string, { browser?: string }[]>;
  expect(activity).toMatchObject([
    { kind: "signed-in", isCurrent: true },
    { kind: "signed-out-unproved", reference: expect.stringMatching(/^\w{4}-\w{4}$/) },
    { kind: "signed-in", isCurrent: false },
  ]);
  // It may be another browser.
  expect(activity?.[0]?.browser).not.toBe(activity?.[2]?.browser);
  expect(devices).toHaveLength(1);
});

test("metrics count what became of proofs [DB-018]", async () => {
  const outcomes: string[] = [];
  const onMeasurement = (each: Measurement) => {
    if (each.of === "device-proof") outcomes.push(each.outcome);
  };
  const { app, open, bound, advance } = deviceWorld({ telemetry: { onMeasurement } });
  const { device, session, ...registered } = await bound();
  await device.refresh(registered);
  advance(1000);
  await device.refresh(registered);
  await open(session, { ...asDocument, "secure-session-skipped": "quota_exceeded" });
  await post(app, "/api/auth/device", {});
  await app.ask("/api/auth/logout", { jar: session });
  await device.refresh(registered);
  expect(outcomes).toEqual([
    "registered",
    "refreshed",
    "challenged",
    "refreshed",
    "skipped",
    "unproved",
    "refused",
    "unproved",
    "ended",
  ]);
});

test("a page learns that a session does not count without a proof [DB-018]", async () => {
  const { app, bound } = deviceWorld();
  const { session } = await bound();
  const state = await app.ask("/_auth/session.json", { jar: session });
  expect(await state.json()).toMatchObject({ state: "ended", reason: "unproved" });
});

test.each([
  ["enforce", true],
  ["observe", false],
] as const)(
  "in %s the list of devices says of a bound session: %s [DB-018]",
  async (mode, isDeviceBound) => {
    const { app, bound } = deviceWorldWithStore({ session: { deviceBound: mode } });
    const { session, renew } = await bound();
    await app.signIn();
    const jar = { ...session, ...(await renew()) };
    const shown = await app.open("/page", { jar }, async (auth) =>
      Response.json(await auth.devices()),
    );
    expect(await shown.json()).toMatchObject([
      { isCurrent: true, isDeviceBound },
      { isCurrent: false, isDeviceBound: false },
    ]);
  },
);

test("registrations again and again leave nothing behind, and the first key counts [DB-013]", async () => {
  const { app, open, signIn, advance, store } = deviceWorldWithStore();
  const writes = vi.spyOn(store, "set");
  const { callback, jar } = await signIn();
  const owner = await createDevice(app);
  const { jar: proof } = await owner.register(callback);
  const before = writes.mock.calls.length;
  const others = await Promise.all(
    Array.from({ length: 100 }, async () => (await createDevice(app)).register(callback)),
  );
  expect(writes.mock.calls.length).toBe(before);
  const { jar: marked } = await open({ ...jar, ...proof });
  advance(61);
  const last = others.at(-1);
  expect((await open({ ...marked, ...last?.jar })).isPage).toBe(false);
  expect((await open({ ...marked, ...proof })).isPage).toBe(true);
});

describe("an app that only observes", () => {
  test("serves a copy, and warns once [DB-001]", async () => {
    const { app, open, bound } = deviceWorld({ session: { deviceBound: "observe" } });
    const { session } = await bound();
    expect([(await open(session)).isPage, (await open(session)).isPage]).toEqual([true, true]);
    const warnings = app.events.filter(
      (event) => event.event === "warning" && event.message.includes("bound to a device"),
    );
    expect(warnings).toHaveLength(1);
  });
});
