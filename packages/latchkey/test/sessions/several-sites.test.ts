/** Sessions of several connections and hosts: what is sealed for one counts nowhere else. */
import { Buffer } from "node:buffer";
import { describe, expect, test, vi } from "vitest";

import type { JSONObject } from "../../src/crypto/json-object.ts";
import { createAuth } from "../../src/index.ts";
import { openText } from "../../src/crypto/jwe.ts";
import { deriveKeyRing } from "../../src/crypto/key-ring.ts";
import { recordKey } from "../../src/session/session-handle.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { cookieHeader, type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { goodSettings } from "../settings.ts";
import { connections, otherURL, several, severalSites } from "./several-sites.ts";

const stateful = { ...several, session: { stateful: true } };
const inStore = () => ({ settings: stateful, store: memoryStore() });
const inCookie = () => ({ settings: several, store: null });
/** The keys that former versions have for sessions. */
const formerKeys = deriveKeyRing([goodSettings.secret], "session");

function headerOf(sealed = ""): JSONObject {
  const [head = ""] = sealed.split(".");
  return JSON.parse(Buffer.from(head, "base64url").toString()) as JSONObject;
}

describe("the header of a session", () => {
  test("has no new member for default at the primary host, and former versions open it [MX-001] [MX-038] [MX-104]", async () => {
    const { primary, signIn } = severalSites();
    const { appSession = "" } = await signIn(primary);
    expect(Object.keys(headerOf(appSession))).toEqual(
      "alg enc uat iat exp id started subTag issuer client kid".split(" "),
    );
    expect(openText(formerKeys, appSession)).toMatchObject({ text: '{"user":{"sub":"ada"}}' });
    const alone = severalSites({ settings: goodSettings });
    const former = (await alone.signIn(alone.primary))["appSession"] ?? "";
    expect(appSession).toHaveLength(former.length);
  });

  test.each([
    ["another connection", "primary", "acme", "https://app.example"],
    ["another host", "other", "default", otherURL],
    ["both", "other", "acme", otherURL],
    ["another connection of the same client", "primary", "beta", "https://app.example"],
  ] as const)(
    "names connection and host of %s, and former versions do not open it [MX-039]",
    async (_, at, connection, origin) => {
      const world = severalSites();
      const { appSession = "" } = await world.signIn(world[at], connection);
      expect(headerOf(appSession)).toMatchObject({ connection, origin });
      expect(openText(formerKeys, appSession)).toBe("unknown-key");
    },
  );

  test.each(["acme", "beta"])(
    "is the same in the store, and its handle is sealed, too [MX-039], %s",
    async (connection) => {
      const store = memoryStore();
      const { primary, signIn, ask } = severalSites({ settings: stateful, store });
      const jar = await signIn(primary, connection);
      const { appSession = "" } = jar;
      expect(openText(formerKeys, appSession)).toBe("unknown-key");
      const keyId = headerOf(appSession)["kid"];
      const result = await ask(primary, jar).read();
      const sealed = result.state === "active" ? result.stored.record?.sealed : undefined;
      expect(headerOf(sealed)).toMatchObject({ connection, kid: keyId });
      expect(openText(formerKeys, sealed ?? "")).toBe("unknown-key");
    },
  );
});

describe.each([
  ["in the cookie", inCookie],
  ["in the store", inStore],
])("a session %s", (_, create) => {
  test.each(["default", "acme", "beta"])(
    "is read and renewed at its own host: %s [MX-040]",
    async (connection) => {
      for (const at of ["primary", "other"] as const) {
        const world = severalSites(create());
        const context = world[at];
        const jar = await world.signIn(context, connection);
        world.advance(7200);
        const exchange = world.ask(context, jar);
        expect(await exchange.use()).toMatchObject({
          state: "active",
          stored: { data: { user: { sub: "ada" } } },
        });
        expect(setCookiesOf(exchange.commit())).not.toEqual([]);
      }
    },
  );

  test.each([
    ["primary", "other", "default"],
    ["primary", "other", "acme"],
    ["other", "primary", "default"],
    ["other", "primary", "acme"],
  ] as const)(
    "of the %s host is anonymous at the %s one, left, and logged once a minute: %s [MX-040]",
    async (from, to, connection) => {
      const world = severalSites(create());
      const jar = await world.signIn(world[from], connection);
      for (const seconds of [0, 30, 31]) {
        world.advance(seconds);
        const exchange = world.ask(world[to], jar);
        expect(await exchange.use()).toEqual({ state: "none" });
        expect(setCookiesOf(exchange.commit())).toEqual([]);
      }
      expect(world.leftAlone()).toEqual(
        Array.from({ length: 2 }, () => expect.stringContaining("to another host") as string),
      );
      expect(await world.ask(world[from], jar).read()).toMatchObject({ state: "active" });
    },
  );

  test("of a connection that this instance does not have is left, logged once a minute, and works where it is [MX-041]", async () => {
    const options = create();
    const world = severalSites(options);
    const jar = await world.signIn(world.primary, "acme");
    const { acme: _acme, ...others } = connections;
    const settings = { ...options.settings, connections: others };
    const without = severalSites({ ...options, settings });
    for (const seconds of [0, 30]) {
      without.advance(seconds);
      const exchange = without.ask(without.primary, jar);
      expect(await exchange.use()).toMatchObject({ state: "none" });
      expect(setCookiesOf(exchange.commit())).toEqual([]);
    }
    expect(without.leftAlone()).toEqual([expect.stringContaining("no such connection")]);
    expect(await world.ask(world.primary, jar).read()).toMatchObject({ state: "active" });
  });

  test.each([{ issuerBaseURL: "https://evil.example" }, { clientID: "another" }])(
    "of a connection that has become %j is anonymous and left [MX-040]",
    async (changed) => {
      const options = create();
      const world = severalSites(options);
      const jar = await world.signIn(world.primary, "acme");
      const acme = { ...connections.acme, ...changed };
      const settings = { ...options.settings, connections: { ...connections, acme } };
      const moved = severalSites({ ...options, settings });
      const exchange = moved.ask(moved.primary, jar);
      expect(await exchange.use()).toMatchObject({ state: "none" });
      expect(setCookiesOf(exchange.commit())).toEqual([]);
    },
  );

  test("is read by one round trip to the store [MX-104]", async () => {
    const options = create();
    const { store } = options;
    const world = severalSites(options);
    const jar = await world.signIn(world.primary, "acme");
    const get = store === null ? null : vi.spyOn(store, "get");
    await world.ask(world.primary, jar).read();
    expect(get?.mock.calls.length ?? 1).toBe(1);
  });

  test("opens with a changed header nowhere [MX-040]", async () => {
    const world = severalSites(create());
    const jar = await world.signIn(world.other, "acme");
    for (const names of [{ connection: "beta" }, { origin: "https://app.example" }]) {
      const forged = forgedHeader(jar, names);
      expect((await world.ask(world.primary, forged).read()).state).not.toBe("active");
    }
  });

  test("lives as long as the shorter durations of app and connection allow, from the next read on [MX-047]", async () => {
    const options = create();
    const long = severalSites(options);
    const jar = await long.signIn(long.primary, "acme");
    const acme = { ...connections.acme, session: { rollingDuration: 600, absoluteDuration: 900 } };
    const settings = { ...options.settings, connections: { ...connections, acme } };
    const short = severalSites({ ...options, settings });
    short.advance(599);
    expect(await short.ask(short.primary, jar).read()).toMatchObject({ state: "active" });
    short.advance(1);
    expect(await short.ask(short.primary, jar).read()).toMatchObject({ reason: "idle" });
    short.advance(300);
    expect(await short.ask(short.primary, jar).read()).toMatchObject({ reason: "max-age" });
    const ofDefault = await long.signIn(long.primary);
    expect(await short.ask(short.primary, ofDefault).read()).toMatchObject({ state: "active" });
  });

  test("is renewed within the time without use of its connection, whatever suits the app [MX-047]", async () => {
    const { settings, store } = create();
    const acme = { ...connections.acme, session: { rollingDuration: 600 } };
    const renewAfter = { ...("session" in settings ? settings.session : {}), renewAfter: 3600 };
    const world = severalSites({
      settings: { ...settings, session: renewAfter, connections: { ...connections, acme } },
      store,
    });
    const jar = await world.signIn(world.primary, "acme");
    world.advance(300);
    const exchange = world.ask(world.primary, jar);
    await exchange.use();
    expect(setCookiesOf(exchange.commit())).not.toEqual([]);
  });
});

test("a record moved to the place of another session is no session there [MX-040]", async () => {
  const store = memoryStore();
  const world = severalSites({ settings: stateful, store });
  const [here, there] = [
    await world.signIn(world.primary, "acme"),
    await world.signIn(world.other, "acme", { user: { sub: "ben" } }),
  ];
  const [ofAda, ofBen] = await Promise.all([
    recordOf(world.ask(world.primary, here)),
    recordOf(world.ask(world.other, there)),
  ]);
  await store.set(ofAda.key, ofBen.sealed, 2_000_000_000);
  expect(await world.ask(world.primary, here).read()).toMatchObject({ reason: "unreadable" });
});

test("with requireIssuer every session names connection and host once there are several [MX-048]", async () => {
  const strict = { session: { requireIssuer: true } };
  const alone = severalSites({ settings: { ...goodSettings, ...strict } });
  const former = await alone.signIn(alone.primary);
  expect(headerOf(former["appSession"])).not.toHaveProperty("connection");
  expect(await alone.ask(alone.primary, former).read()).toMatchObject({ state: "active" });

  const world = severalSites({ settings: { ...several, ...strict } });
  expect(await world.ask(world.primary, former).read()).toMatchObject({ reason: "unreadable" });
  const jar = await world.signIn(world.primary);
  expect(headerOf(jar["appSession"])).toMatchObject({ connection: "default" });
  expect(await world.ask(world.primary, jar).read()).toMatchObject({ state: "active" });

  const hosts = { ...goodSettings, ...strict, baseURL: [goodSettings.baseURL, otherURL] };
  const ofHosts = severalSites({ settings: hosts });
  expect(await ofHosts.ask(ofHosts.primary, former).read()).toMatchObject({ reason: "unreadable" });
});

test("sessions count at each listed host below the domain of the cookie, and nowhere else [MX-046]", async () => {
  const settings = { ...several, session: { cookie: { domain: "app.example" } } };
  const world = severalSites({ settings, otherURL: "https://admin.app.example" });
  for (const connection of ["default", "acme"]) {
    const jar = await world.signIn(world.primary, connection);
    expect(await world.ask(world.other, jar).read()).toMatchObject({ state: "active" });
    const elsewhere = severalSites({ settings: several });
    expect((await elsewhere.ask(elsewhere.other, jar).read()).state).toBe("none");
  }
  const [ofDefault, ofAcme] = [
    await world.signIn(world.other),
    await world.signIn(world.other, "acme"),
  ];
  expect(headerOf(ofDefault["appSession"])).not.toHaveProperty("origin");
  expect(headerOf(ofAcme["appSession"])).toMatchObject({ origin: ".app.example" });
});

/** The same cookies with another header, as a thief could change it. */
function forgedHeader(jar: Jar, names: JSONObject): Jar {
  const { appSession = "" } = jar;
  const [head = "", ...rest] = appSession.split(".");
  if (rest.length !== 4) return jar;
  const changed = Buffer.from(JSON.stringify({ ...headerOf(head), ...names }));
  return { ...jar, appSession: [changed.toString("base64url"), ...rest].join(".") };
}

function setCookiesOf(headers: readonly (readonly [string, string])[]): readonly string[] {
  return headers.flatMap(([name, value]) => (name.toLowerCase() === "set-cookie" ? [value] : []));
}

async function recordOf(exchange: ReturnType<ReturnType<typeof severalSites>["ask"]>) {
  const result = await exchange.read();
  if (result.state !== "active" || result.stored.record === null) throw new Error(result.state);
  const { handle, sealed } = result.stored.record;
  return { key: recordKey(handle), sealed };
}

describe("what browsers carry during a sign-in", () => {
  const formerTransactionKeys = deriveKeyRing([goodSettings.secret], "transaction");
  const opensForFormer = (sealed: string) =>
    typeof openText(formerTransactionKeys, sealed) === "object";
  const inURL = { state: "s", nonce: "n", returnTo: "https://app.example/", started: 1 };

  test.each([
    ["default at the primary host", {}, true],
    ["another connection", { connection: "acme" }, false],
  ])(
    "a pending login of %s is left by former versions, if it is not theirs [MX-001] [MX-039]",
    (_, names, isTheirs) => {
      const { primary } = severalSites();
      const [line = ""] = primary.signIns.transactions.add({ ...inURL, ...names }, {});
      const sealed = jarAfter([line])["auth_verification"] ?? "";
      expect(opensForFormer(sealed)).toBe(isTheirs);
      expect(headerOf(sealed)["connection"]).toBe("connection" in names ? "acme" : undefined);
    },
  );

  test("a pending login of another host is left by former versions [MX-039]", () => {
    const { other } = severalSites();
    const [line = ""] = other.signIns.transactions.add({ ...inURL, origin: otherURL }, {});
    const sealed = jarAfter([line])["auth_verification"] ?? "";
    expect(opensForFormer(sealed)).toBe(false);
    expect(headerOf(sealed)).toMatchObject({ connection: "default", origin: otherURL });
  });

  test("a kept form opens at its own host alone [MX-039] [MX-040]", () => {
    const { primary, other } = severalSites();
    const form = { action: "https://app.example/save", fields: [["a", "b"]] as const, subTag: "t" };
    const formsOf = ({ keptForms }: typeof primary) => keptForms;
    const theirs = jarAfter(formsOf(primary).keep(form) ?? []);
    expect(opensForFormer(theirs["auth_form"] ?? "")).toBe(true);
    const jar = jarAfter(formsOf(primary).keep(form, "acme") ?? []);
    expect(opensForFormer(jar["auth_form"] ?? "")).toBe(false);
    expect(formsOf(primary).read(jar, "t")).toMatchObject({ action: form.action });
    expect(formsOf(other).read(jar, "t")).toBeNull();
    expect(formsOf(other).read(theirs, "t")).toBeNull();
  });

  test("what is sealed for an address or counted opens at its own host alone [MX-039] [MX-040]", () => {
    const { primary, other } = severalSites();
    for (const [at, elsewhere] of [
      [primary, other],
      [other, primary],
    ] as const) {
      const { loginSeal, refusalSeal, loopCounter } = at.signIns;
      const isTheirs = at === primary;
      const stepUp = loginSeal.seal({ stepUp: { maxAge: 60 } });
      const params = loginSeal.seal({ params: { screen_hint: "signup" } });
      const refusal = refusalSeal.seal({ returnTo: "/", unmet: [] });
      for (const text of [stepUp, params, refusal]) expect(opensForFormer(text)).toBe(isTheirs);
      expect(loginSeal.open(stepUp)).toEqual({ stepUp: { maxAge: 60 } });
      const there = elsewhere.signIns;
      expect(there.loginSeal.open(stepUp)).toEqual({});
      expect(there.loginSeal.open(params)).toEqual({});
      expect(there.refusalSeal.open(refusal)).toBeNull();
      const signIn = { connection: "default", returnTo: "/", cameBack: false };
      const counted = jarAfter([loopCounter.recordSignIn({}, signIn)]);
      expect(loopCounter.count(counted, signIn).lost).toBe(1);
      expect(there.loopCounter.count(counted, signIn).lost).toBe(0);
    }
  });
});

describe("what an app and its pages learn of a session", () => {
  const cookieOf = async (settings: typeof several | typeof goodSettings, connection: string) => {
    const world = severalSites({ settings });
    return cookieHeader(await world.signIn(world.primary, connection));
  };
  const clock = () => 1_800_000_000_000;
  const ask = (settings: typeof several | typeof goodSettings, cookie: string, path: string) => {
    const auth = createAuth({ ...settings, clock, log: () => undefined });
    const request = new Request(`https://app.example${path}`, { headers: { cookie } });
    return auth.respond(request, (passed) => {
      const { connection, identity, user } = auth.of(passed);
      return Response.json({ connection, identity, user });
    });
  };
  const ofAcme = {
    issuer: "https://id.acme.example",
    sub: "ada",
    connection: "acme",
    id: "211HTBv33x9OloqS_jXT6dVQQX99ELYqtuXk2mD0aN8",
  };

  test("handlers know the connection and the identity, and user stays the claims [MX-043]", async () => {
    const seen = await ask(several, await cookieOf(several, "acme"), "/private");
    expect(await seen.json()).toEqual({
      connection: "acme",
      identity: ofAcme,
      user: { sub: "ada" },
    });
    const alone = await ask(goodSettings, await cookieOf(goodSettings, "default"), "/private");
    expect(await alone.json()).toMatchObject({
      connection: "default",
      identity: { issuer: "https://op.example", sub: "ada", connection: "default" },
    });
  });

  test("session.json names them, and neither with one connection; me stays the claims [MX-049]", async () => {
    const cookie = await cookieOf(several, "acme");
    const look = await ask(several, cookie, "/_auth/session.json");
    expect(await look.json()).toMatchObject({ connection: "acme", identity: ofAcme });
    const me = await ask(several, cookie, "/api/auth/me");
    expect(await me.json()).toEqual({ sub: "ada" });
    const alone = await ask(
      goodSettings,
      await cookieOf(goodSettings, "default"),
      "/_auth/session.json",
    );
    const names = Object.keys((await alone.json()) as object);
    expect(names).not.toContain("connection");
    expect(names).not.toContain("identity");
  });
});
