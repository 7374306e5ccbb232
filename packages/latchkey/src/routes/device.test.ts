import { describe, expect, test } from "vitest";

import type { Jar } from "../../test/browser/cookie-jar.ts";
import {
  challengeIn,
  createDevice,
  type DeviceProofChange,
  post,
} from "../../test/browser/device.ts";
import { deviceWorld, deviceWorldWithStore } from "../../test/sessions/device-world.ts";
import { createQuickApp } from "../../test/worlds/quick-app.ts";

describe("an app that binds no session to a device [DB-001]", () => {
  test("offers nothing and has no route for it", async () => {
    const { app, signIn } = deviceWorld({ session: { deviceBound: "off" } });
    const { callback } = await signIn();
    expect(callback.headers.get("secure-session-registration")).toBeNull();
    expect((await post(app, "/api/auth/device", {})).status).toBe(404);
  });
});

describe("the offer to register a key", () => {
  test("comes with the sign-in, and again when a page seals the session again [DB-001]", async () => {
    const { signIn, open, advance } = deviceWorld();
    const { callback, jar } = await signIn();
    expect(callback.headers.get("secure-session-registration")).toMatch(
      /^\(ES256 RS256\);path="\/api\/auth\/device";challenge="[\w.-]+"$/,
    );
    const soon = await open(jar);
    expect(soon.response.headers.get("secure-session-registration")).toBeNull();
    advance(3700);
    const later = await open(soon.jar);
    expect(later.response.headers.get("secure-session-registration")).not.toBeNull();
  });

  test("makes a sign-in longer by less than 300 bytes [DB-020]", async () => {
    const sizeOf = ({ headers }: Response) =>
      [...headers].reduce((sum, [name, value]) => sum + `${name}: ${value}\r\n`.length, 0);
    const sizes = ["off", "enforce"] as const;
    const [without = 0, bound = 0] = await Promise.all(
      sizes.map(async (deviceBound) => {
        const { callback } = await deviceWorld({ session: { deviceBound } }).signIn();
        return sizeOf(callback);
      }),
    );
    expect(bound - without).toBeGreaterThan(100);
    expect(bound - without).toBeLessThan(300);
  });

  test("does not come with a response to a script [DB-001]", async () => {
    const { signIn, open, advance } = deviceWorld();
    const { jar } = await signIn();
    advance(3700);
    const { response } = await open(jar, { accept: "application/json", "sec-fetch-dest": "empty" });
    expect(response.headers.get("secure-session-registration")).toBeNull();
  });

  test("is good for five minutes [DB-003]", async () => {
    const { app, signIn, advance } = deviceWorld();
    const device = await createDevice(app);
    const { callback } = await signIn();
    advance(301);
    expect((await device.register(callback)).response.status).toBe(400);
  });

  test("is not made to a session that is bound [DB-010]", async () => {
    const { open, bound, advance } = deviceWorld();
    const { session, renew } = await bound();
    advance(3700);
    const { response } = await open({ ...session, ...(await renew()) });
    expect(response.headers.getSetCookie().join()).toContain("appSession=");
    expect(response.headers.get("secure-session-registration")).toBeNull();
  });
});

describe("a registration", () => {
  test("needs no cookie, and names the browser what to prove [DB-002, DB-011]", async () => {
    const { app, signIn } = deviceWorld();
    const { response, jar, challenge } = await (
      await createDevice(app)
    ).register((await signIn()).callback);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      session_identifier: expect.stringMatching(/^[\w-]{22}$/),
      refresh_url: expect.stringMatching(/^https:\/\/app\.example\/api\/auth\/device\?k=[\w.-]+$/),
      scope: expect.objectContaining({ origin: "https://app.example", include_site: false }),
      credentials: [
        {
          type: "cookie",
          name: "appSession.device",
          attributes: "Path=/; HttpOnly; Secure; SameSite=Lax",
        },
      ],
      allowed_refresh_initiators: ["*"],
    });
    expect(Object.keys(jar)).toEqual(["appSession.device"]);
    expect(challenge).toMatch(/^[\w.-]+$/);
  });

  test.each(["ES256", "RS256"])("is possible with a key for %s [DB-003]", async (alg) => {
    const { app, signIn } = deviceWorld();
    const device = await createDevice(app, alg);
    const registered = await device.register((await signIn()).callback);
    expect([registered.response.status, (await device.refresh(registered)).status]).toEqual([
      200, 200,
    ]);
  });

  test("of a session that has ended meanwhile is refused [DB-009]", async () => {
    const { app, signIn } = deviceWorldWithStore();
    const { callback, jar } = await signIn();
    await app.ask("/api/auth/logout", { jar });
    const { response } = await (await createDevice(app)).register(callback);
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
  });
});

const { jwk: otherKey } = await createDevice(createQuickApp());

const badProofs: readonly (readonly [string, DeviceProofChange])[] = [
  ["another type", { header: { typ: "dpop+jwt" } }],
  ["no type", { header: { typ: undefined } }],
  ["a challenge of its own", { claims: { jti: "made up" } }],
  ["no challenge", { claims: { jti: undefined } }],
  ["a challenge that is no text", { claims: { jti: 1 } }],
  ["another key than the one that signs", { header: { jwk: otherKey } }],
  ["a private key", { header: { jwk: { ...otherKey, d: "AA" } } }],
  ["a key that is none", { header: { jwk: "key" } }],
];

describe("a proof with a fault gets no cookie [DB-003]", () => {
  test.each(badProofs)("at a registration: %s", async (_, change) => {
    const { app, signIn } = deviceWorld();
    const { response } = await (
      await createDevice(app)
    ).register((await signIn()).callback, change);
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
  });

  test.each(badProofs)("at a refresh: %s", async (_, change) => {
    const { bound } = deviceWorld();
    const { device, ...registered } = await bound();
    const response = await device.refresh(registered, change);
    expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
    expect(challengeIn(response)).not.toBe("");
  });

  test("at a refresh: its own key beside the signature", async () => {
    const { bound } = deviceWorld();
    const { device, ...registered } = await bound();
    const response = await device.refresh(registered, { header: { jwk: device.jwk } });
    expect(response.status).toBe(403);
  });

  test.each(["", "x", "a.b.c", "a.b", `${"a".repeat(20_000)}.b.c`])(
    "a text like %.20s",
    async (text) => {
      const { app, bound } = deviceWorld();
      const { refreshAddress, identifier } = await bound();
      const first = await post(app, "/api/auth/device", { "secure-session-response": text });
      const later = await post(app, refreshAddress, {
        "sec-secure-session-id": identifier,
        "secure-session-response": text,
      });
      expect([first.status, later.status]).toEqual([400, 403]);
    },
  );

  test("an unsigned one, and one by a shared secret", async () => {
    const { app, signIn } = deviceWorld();
    const { callback } = await signIn();
    const offer = callback.headers.get("secure-session-registration") ?? "";
    const [, challenge = ""] = /challenge="([^"]*)"/.exec(offer) ?? [];
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const alg of ["none", "HS256"]) {
      const head = part({ alg, typ: "dbsc+jwt", jwk: otherKey });
      const text = `${head}.${part({ jti: challenge })}.AAAA`;
      // oxlint-disable-next-line no-await-in-loop -- one after the other is enough
      const response = await post(app, "/api/auth/device", { "secure-session-response": text });
      expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
    }
  });
});

describe("a refresh", () => {
  test("renews the cookie of the proof, and brings the next challenge [DB-004]", async () => {
    const { bound, advance } = deviceWorld();
    const { device, ...registered } = await bound();
    advance(400);
    const response = await device.refresh(registered);
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^appSession\.device=\d+\.[\w-]{43}\.[\w-]{22}; Path=\/; Expires=/),
    ]);
    expect(challengeIn(response)).not.toBe("");
  });

  test("with an old challenge gets a new one, which is good [DB-003]", async () => {
    const { app, bound, advance } = deviceWorld();
    const { device, ...registered } = await bound();
    advance(1000);
    const send = async (challenge: string) =>
      post(app, registered.refreshAddress, {
        "sec-secure-session-id": registered.identifier,
        "secure-session-response": await device.prove(challenge, false),
      });
    const refused = await send(registered.challenge);
    expect([refused.status, (await send(challengeIn(refused))).status]).toEqual([403, 200]);
  });

  test("with the challenge of another session is refused [DB-011]", async () => {
    const { app, bound } = deviceWorld();
    const [one, other] = [await bound(), await bound()];
    const response = await post(app, one.refreshAddress, {
      "sec-secure-session-id": one.identifier,
      "secure-session-response": await one.device.prove(other.challenge, false),
    });
    expect(response.status).toBe(403);
  });

  test.each(["challenge", "garbage"])(
    "at an address with a %s is refused [DB-011]",
    async (what) => {
      const { app, bound } = deviceWorld();
      const { device, ...registered } = await bound();
      const k = what === "challenge" ? registered.challenge : what;
      const response = await device.refresh({
        ...registered,
        refreshAddress: `/api/auth/device?k=${k}`,
      });
      expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
      expect((await post(app, "/api/auth/device", { "sec-secure-session-id": "x" })).status).toBe(
        400,
      );
    },
  );

  test("of a session that has ended ends the device session of the browser [DB-009]", async () => {
    const { app, bound } = deviceWorldWithStore();
    const { device, session, jar, ...registered } = await bound();
    await app.ask("/api/auth/logout", { jar: { ...session, ...jar } });
    const response = await device.refresh({ ...registered, jar });
    const { identifier } = registered;
    expect(await response.json()).toEqual({ session_identifier: identifier, continue: false });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("of a session that a logout token has ended ends the device session of the browser [DB-009]", async () => {
    const { app, bound } = deviceWorldWithStore({ backchannelLogout: true });
    const { device, ...registered } = await bound();
    const body = new URLSearchParams({
      logout_token: app.provider.logoutToken({ sub: "quick-person" }),
    });
    await app.ask("/api/auth/backchannel-logout", { method: "POST", body });
    expect(await (await device.refresh(registered)).json()).toMatchObject({ continue: false });
  });

  test("after the absolute end ends the device session of the browser [DB-009]", async () => {
    const { bound, advance } = deviceWorld();
    const { device, ...registered } = await bound();
    advance(7 * 86_400);
    expect(await (await device.refresh(registered)).json()).toMatchObject({ continue: false });
  });

  test("is answered 503 while the store is down, which ends nothing [DB-006]", async () => {
    const { store, bound } = deviceWorldWithStore();
    const { device, ...registered } = await bound();
    store.fail(true);
    expect((await device.refresh(registered)).status).toBe(503);
    store.fail(false);
    expect((await device.refresh(registered)).status).toBe(200);
  });

  test("is no use of the session: it ends after a day without use [DB-012]", async () => {
    const { open, bound, advance } = deviceWorld();
    const { session, renew } = await bound();
    let proof: Jar = {};
    for (let hours = 0; hours < 25; hours += 1) {
      advance(3600);
      // oxlint-disable-next-line no-await-in-loop -- one hour after the other
      proof = await renew();
    }
    expect((await open({ ...session, ...proof })).isPage).toBe(false);
  });
});

test("no header of the responses holds the name of the user [DB-011]", async () => {
  const { app, bound, signIn } = deviceWorld();
  const { callback } = await signIn();
  const { response, device, ...registered } = await bound();
  const texts = [callback, response, await device.refresh({ ...registered, response })]
    .flatMap(({ headers }) => [...headers])
    .filter(([name]) => name.startsWith("secure-session"))
    .map(([, value]) => value);
  const decoded = texts.flatMap((text) =>
    text.split(/["., ;=]/).map((part) => Buffer.from(part, "base64url").toString("latin1")),
  );
  expect(texts.length).toBeGreaterThan(2);
  expect([...texts, ...decoded, JSON.stringify(app.events.slice(-1))].join()).not.toContain(
    "Quick Person",
  );
});
