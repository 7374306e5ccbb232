import { describe, expect, test } from "vitest";

import { sessionSeal } from "../../test/session-seal.ts";
import { jarAfter, namesIn } from "../../test/cookie-jar.ts";
import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Store } from "../stores/store.ts";
import type { StoredSession } from "./session.ts";
import { createSessionCookie } from "./session-cookie.ts";
import { storeStorage } from "./store-storage.ts";

const party = { issuer: "https://op.example", client: "client" };
const header = { uat: 2000, iat: 1000, exp: 90_000, id: "id", started: 5, ...party };
const ada: StoredSession = { header, data: { user: { sub: "ada", about: "x".repeat(9000) } } };

/** A store that tells what was written to it. */
function watched(): { store: Store; written: Map<string, string>; calls: () => number } {
  const inner = memoryStore(() => 3_000_000);
  const written = new Map<string, string>();
  let calls = 0;
  return {
    written,
    calls: () => calls,
    store: {
      ...inner,
      get(keys) {
        calls += 1;
        return inner.get(keys);
      },
      set(key, value, expiresAt) {
        written.set(key, value);
        return inner.set(key, value, expiresAt);
      },
    },
  };
}

function world() {
  const config = readConfig({ ...goodSettings, session: { stateful: true } }, { hasStore: true });
  const { store, written, calls } = watched();
  let count = 0;
  const storage = storeStorage({
    name: config.session.name,
    cookie: createSessionCookie(config),
    party,
    seal: sessionSeal(config.secrets, party),
    store,
    newHandle: () => `${(count += 1)}`.padStart(43, "h"),
  });
  return { storage, store, written, calls };
}

test("what was created is found again", async () => {
  const { storage } = world();
  expect(await storage.load(jarAfter(await storage.create(ada, {})))).toMatchObject(ada);
});

test("the cookie holds a handle and nothing of the session, however large that is", async () => {
  const { storage } = world();
  const setCookies = await storage.create(ada, {});
  expect(setCookies).toHaveLength(1);
  expect(jarAfter(setCookies)["appSession"]).toMatch(/^[\w-]{16}\.[\w-]{43}$/);
});

test("the store holds neither a handle nor a session that can be read", async () => {
  const { storage, written } = world();
  const [, handle = ""] = (jarAfter(await storage.create(ada, {}))["appSession"] ?? "").split(".");
  const contents = JSON.stringify([...written]);
  expect(written.size).toBe(1);
  expect(handle).toHaveLength(43);
  expect(contents).not.toContain(handle);
  expect(contents).not.toContain("xxxxxxxx");
});

test("the tag stands for the person: the same at every sign-in, another one for anybody else", async () => {
  const { storage } = world();
  const tagOf = async (session: StoredSession) =>
    jarAfter(await storage.create(session, {}))["appSession"]?.split(".")[0];
  const [one, again] = [await tagOf(ada), await tagOf(ada)];
  expect(again).toBe(one);
  expect(await tagOf({ header, data: { user: { sub: "ada2" } } })).not.toBe(one);
  expect(one).not.toContain("ada");
});

test("with another tag than its own a handle finds nothing, and renews nothing", async () => {
  const { storage } = world();
  const value = jarAfter(await storage.create(ada, {}))["appSession"] ?? "";
  const forged = { appSession: `${"A".repeat(16)}${value.slice(16)}` };
  expect(await storage.load(forged)).toBe("unreadable");
  expect(await storage.renew(ada, forged)).toBeNull();
  expect(await storage.load({ appSession: value })).toMatchObject(ada);
});

test("reading costs one look into the store, however many sessions the person has", async () => {
  const { storage, calls } = world();
  for (let index = 0; index < 20; index += 1) await storage.create(ada, {});
  const jar = jarAfter(await storage.create(ada, {}));
  expect(calls()).toBe(0);
  expect(await storage.load(jar)).toMatchObject(ada);
  expect(calls()).toBe(1);
});

test("signing in again makes a new handle; the old one is dead [ATK-015, ASVS 7.2.4]", async () => {
  const { storage } = world();
  const before = jarAfter(await storage.create(ada, {}));
  const after = jarAfter(await storage.create(ada, before), before);
  expect(after["appSession"]).not.toBe(before["appSession"]);
  expect(await storage.load(before)).toBe("unreadable");
  expect(await storage.load(after)).toMatchObject({ header });
});

test("a handle that was planted is never taken over [ATK-021]", async () => {
  const { storage } = world();
  const planted = { appSession: `${"p".repeat(16)}.${"p".repeat(43)}` };
  expect(await storage.load(planted)).toBe("unreadable");
  const jar = jarAfter(await storage.create(ada, planted), planted);
  expect(jar["appSession"]).not.toBe(planted.appSession);
  expect(await storage.load(planted)).toBe("unreadable");
});

test("renewal keeps the handle and writes the session anew", async () => {
  const { storage } = world();
  const before = jarAfter(await storage.create(ada, {}));
  const renewed = { ...ada, header: { ...header, uat: 2500 } };
  const after = jarAfter((await storage.renew(renewed, before)) ?? [], before);
  expect(after).toEqual(before);
  expect(await storage.load(after)).toMatchObject({ header: { uat: 2500, iat: 1000 } });
});

test("renewal never revives a session that was ended meanwhile [ATK-009]", async () => {
  const { storage } = world();
  const jar = jarAfter(await storage.create(ada, {}));
  const other = { ...jar };
  await storage.remove(other);
  expect(await storage.renew(ada, jar)).toBeNull();
  expect(await storage.load(jar)).toBe("unreadable");
});

test("a cookie without a handle cannot be renewed", async () => {
  const { storage } = world();
  expect(await storage.renew(ada, {})).toBeNull();
  expect(await storage.renew(ada, { appSession: "x" })).toBeNull();
});

test("ending a session takes it out of the store: a copy of the cookie is dead [ASVS 7.4.1]", async () => {
  const { storage } = world();
  const copy = jarAfter(await storage.create(ada, {}));
  expect(namesIn(await storage.remove(copy)).cleared).toEqual(["appSession"]);
  expect(await storage.load(copy)).toBe("unreadable");
});

describe("what is no handle", () => {
  const tag = "t".repeat(16);
  test.each([
    "x",
    "x".repeat(43),
    `${tag}.${"x".repeat(42)}`,
    `${tag}.${"x".repeat(44)}`,
    `${tag}.${"x".repeat(42)}.`,
    `${tag}x.${"x".repeat(43)}`,
    `${tag.slice(1)}.${"x".repeat(43)}`,
    `.${"x".repeat(43)}`,
    `${tag}|${"x".repeat(43)}`,
    `${tag}.${"x".repeat(43)}\n`,
    `${tag}.${tag}.${"x".repeat(43)}`,
    "session|abc",
    "../../etc",
  ])("%s is unreadable, and the store is not asked", async (value) => {
    const { storage, calls } = world();
    expect(await storage.load({ appSession: value })).toBe("unreadable");
    expect(calls()).toBe(0);
  });

  test("a session of another client in the same store is nobody's", async () => {
    const { storage } = world();
    const foreign = { ...ada, header: { ...header, client: "other" } };
    expect(await storage.load(jarAfter(await storage.create(foreign, {})))).toBe("unreadable");
  });

  test("no cookie is no session", async () => {
    const { storage, calls } = world();
    expect(await storage.load({})).toBeNull();
    expect(await storage.load({ appSession: "" })).toBeNull();
    expect(calls()).toBe(0);
  });
});
