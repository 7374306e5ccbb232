import { describe, expect, test } from "vitest";

import { jarAfter, namesIn } from "../../test/browser/cookie-jar.ts";
import {
  activeData,
  ada,
  registration,
  sessionParts,
  signedInParts,
  signedInAt,
  stateful,
} from "../../test/sessions/session-parts.ts";
import { cookieBytes } from "../http/cookies.ts";
import type { Measurement } from "../telemetry/telemetry.ts";
import { type MemoryStore, memoryStore } from "../stores/memory.ts";
import type { SessionData } from "./session.ts";
import { providerSessionTag, userTag } from "./session-handle.ts";

const large: SessionData = { user: { sub: "ada", about: "x".repeat(20_000) } };

/** Changes data as an app does. */
function setting(more: object) {
  return (data: SessionData): Promise<SessionData> => Promise.resolve({ ...data, ...more });
}

/** A store with its own answers to a swap. */
function swapping(swap: MemoryStore["swap"]): MemoryStore {
  return { ...memoryStore(() => signedInAt * 1000), swap };
}

describe("a new session", () => {
  test("its header holds both names the provider gave, whatever the app made of the user", async () => {
    const { signIn } = sessionParts();
    const data = { user: { sub: "renamed", sid: "other" } };
    const { stored } = await signIn(data, { sub: "ada", sid: "sid-1", started: 5 });
    expect(stored.header).toMatchObject({
      uat: signedInAt,
      iat: signedInAt,
      exp: signedInAt + 86_400,
      started: 5,
      subTag: userTag(registration, "ada"),
      sidTag: providerSessionTag(registration, "sid-1"),
    });
  });

  test("its header has no sidTag if the ID token had no sid", async () => {
    const { stored } = await sessionParts().signIn({ user: { sub: "ada", sid: "from-userinfo" } });
    expect(stored.header).not.toHaveProperty("sidTag");
  });

  test("it is kept in the cookie itself by default", async () => {
    const { store, read, jar } = await signedInParts();
    expect(jar["appSession"]).toMatch(/^eyJ/);
    expect(store.list("")).toEqual([]);
    expect(activeData(await read(jar))).toEqual(ada);
  });
});

describe("the cookies of a new session", () => {
  test("their size is measured before it is cut into chunks", async () => {
    const measured: Measurement[] = [];
    const measure = (each: Measurement) => void measured.push(each);
    const { signIn } = sessionParts({ store: null, measure });
    const jar = jarAfter((await signIn(large)).setCookies);
    const bytes = Object.values(jar).join("").length;
    expect(measured).toEqual([{ of: "cookie-size", cookie: "session", bytes }]);
  });

  test("they end with the browser if the settings say so", async () => {
    const settings = { session: { cookie: { transient: true } } };
    const { setCookies } = await sessionParts({ settings }).signIn();
    expect(setCookies.join()).not.toContain("Expires");
  });

  test("chunks a posted response could not bring are cleared", async () => {
    const settings = { responseMode: "form_post" } as const;
    const { setCookies } = await sessionParts({ settings }).signIn();
    const numbered = Array.from({ length: 8 }, (_, index) => `appSession.${index}`);
    expect(namesIn(setCookies)).toEqual({ set: ["appSession"], cleared: numbered });
  });
});

describe("a session in the store", () => {
  test("its cookie holds a handle and nothing of the session, however large", async () => {
    const { setCookies } = await sessionParts(stateful).signIn(large);
    expect(setCookies).toHaveLength(1);
    expect(jarAfter(setCookies)["appSession"]).toMatch(/^[\w-]{16}\.[\w-]{43}\.\.[\w-]{8}$/);
  });

  test("the store holds neither the secret nor a readable session", async () => {
    const { jarOf, store } = sessionParts(stateful);
    const [, secret = ""] = (await jarOf(large))["appSession"]?.split(".") ?? [];
    const keys = store.list("");
    const contents = JSON.stringify([keys, await store.get(keys)]);
    expect(keys).toHaveLength(1);
    expect(secret).toHaveLength(43);
    expect(contents).not.toContain(secret);
    expect(contents).not.toContain("xxxxxxxx");
  });

  test("every sign-in makes a new handle [ATK-015, ASVS-7.2.4]", async () => {
    const { jarOf } = sessionParts(stateful);
    expect((await jarOf())["appSession"]).not.toBe((await jarOf())["appSession"]);
  });

  test("a record leaves the store ten minutes after the latest end that its browser may know", async () => {
    const { jarOf, advance, store } = sessionParts(stateful);
    await jarOf();
    advance(86_400 + 3600 + 599);
    expect(store.list("session|")).toHaveLength(1);
    advance(1);
    expect(store.list("session|")).toHaveLength(0);
  });
});

describe("a session too large for cookies", () => {
  test("it alone is kept in the store, if there is one", async () => {
    const { jarOf, store, read } = sessionParts();
    const [small, big] = [await jarOf(), await jarOf(large)];
    expect(small["appSession"]).toMatch(/^eyJ/);
    expect(big["appSession"]).toMatch(/^[\w-]{16}\.[\w-]{43}\.\.[\w-]{8}$/);
    expect(store.list("session|")).toHaveLength(1);
    expect(activeData(await read(big))).toEqual(large);
  });

  test("it goes to the store when an update makes it too large, under its own names", async () => {
    const {
      sessions,
      store,
      read,
      stored,
      jar: before,
    } = await signedInParts({}, ada, { sid: "sid-1" });
    const grown = await sessions.update(stored, setting({ notes: "n".repeat(20_000) }), before);
    const jar = jarAfter(grown?.setCookies ?? [], before);
    expect(jar["appSession"]).toMatch(/^[\w-]{16}\.[\w-]{43}\.[\w-]{16}\.[\w-]{8}$/);
    expect(store.list("session|")).toHaveLength(1);
    const result = await read(jar);
    expect(activeData(result)).toHaveProperty("notes");
    expect(result).toMatchObject({ stored: { header: { id: stored.header.id, iat: signedInAt } } });
  });

  test("without a store it is written as cookies, for others to judge", async () => {
    const { setCookies } = await sessionParts({ store: null }).signIn(large);
    expect(cookieBytes(setCookies)).toBeGreaterThan(20_000);
  });
});

describe("renewal", () => {
  test.each([{}, stateful])("use moves the end and leaves the rest as it is: %j", async (kind) => {
    const { sessions, advance, read, stored, jar: before } = await signedInParts(kind);
    advance(100);
    const renewed = sessions.renew(stored, before);
    await renewed.saved;
    const result = await read(jarAfter(renewed.setCookies, before));
    const header = { ...stored.header, uat: signedInAt + 100, exp: signedInAt + 86_500 };
    expect(result).toMatchObject({ state: "active", stored: { data: ada, header } });
  });

  test("a session made elsewhere names issuer and client from then on", async () => {
    const { sessions, stored } = await signedInParts();
    const { setCookies } = sessions.renew(stored, {});
    const [head = ""] = (jarAfter(setCookies)["appSession"] ?? "").split(".");
    expect(JSON.parse(Buffer.from(head, "base64url").toString())).toMatchObject(registration);
  });

  test("a session in the store keeps its handle", async () => {
    const { sessions, stored, jar } = await signedInParts(stateful);
    expect(jarAfter(sessions.renew(stored, {}).setCookies)).toEqual(jar);
  });

  test("a renewal does not undo what another request wrote meanwhile", async () => {
    const { sessions, read, stored, jar } = await signedInParts(stateful);
    await sessions.update(stored, setting({ theme: "dark" }), {});
    await sessions.renew(stored, {}).saved;
    expect(activeData(await read(jar))).toHaveProperty("theme", "dark");
  });

  test("a renewal does not revive a session ended meanwhile [ATK-009, REL-C04]", async () => {
    const { sessions, read, store, stored, jar } = await signedInParts(stateful);
    await sessions.end(stored);
    await sessions.renew(stored, {}).saved;
    expect(store.list("session|")).toEqual([]);
    expect((await read(jar)).state).toBe("ended");
  });

  test("a fault of the store rejects for the caller, and the renewed session is there", async () => {
    const store = swapping(() => Promise.reject(new Error("the store is down")));
    const { sessions, stored } = await signedInParts({ ...stateful, store });
    const renewed = sessions.renew(stored, {});
    expect(renewed.setCookies).toHaveLength(1);
    await expect(renewed.saved).rejects.toThrow("the store is down");
  });
});

describe("an update", () => {
  test.each([{}, stateful])("other data are kept, with the session's age: %j", async (kind) => {
    const { sessions, advance, read, stored, jar: before } = await signedInParts(kind);
    advance(100);
    const updated = await sessions.update(stored, setting({ theme: "dark" }), before);
    expect(updated?.setCookies).toHaveLength(1);
    const result = await read(jarAfter(updated?.setCookies ?? [], before));
    expect(activeData(result)).toEqual({ ...ada, theme: "dark" });
    const header = { iat: signedInAt, uat: signedInAt + 100 };
    expect(result).toMatchObject({ stored: { header } });
  });

  test.each([{}, stateful])("data that stay as they are write nothing: %j", async (kind) => {
    const { sessions, stored } = await signedInParts(kind);
    const unchanged = await sessions.update(stored, setting({}), {});
    expect(unchanged).toMatchObject({ stored: { header: stored.header }, setCookies: null });
  });

  test("two updates of one record at the same moment are both kept", async () => {
    const { sessions, read, stored, jar } = await signedInParts(stateful);
    const changes = Array.from({ length: 8 }, (_, each) => setting({ [`own ${each}`]: true }));
    await Promise.all(changes.map((change) => sessions.update(stored, change, {})));
    const data = activeData(await read(jar));
    expect(Object.keys(data).filter((name) => name.startsWith("own"))).toHaveLength(8);
  });

  test("a session ended meanwhile is not revived, and null is returned [ATK-009]", async () => {
    const { sessions, store, stored } = await signedInParts(stateful);
    const ending = async (data: SessionData) => {
      await sessions.end(stored);
      return { ...data, theme: "dark" };
    };
    expect(await sessions.update(stored, ending, {})).toBeNull();
    expect(store.list("session|")).toEqual([]);
  });

  test("a record changed by others again and again is a fault of the store", async () => {
    const store = swapping(() => "changed");
    const { sessions, stored } = await signedInParts({ ...stateful, store });
    const reason = "store_unavailable";
    const updating = sessions.update(stored, setting({ theme: "dark" }), {});
    await expect(updating).rejects.toMatchObject({ reason });
  });
});

describe("the end of a session", () => {
  test.each([{}, stateful])(
    "every copy of its cookie ends with it: %j [ASVS-7.4.1, ATK-033, ATK-057]",
    async (kind) => {
      const { sessions, read, stored, jar } = await signedInParts(kind);
      await sessions.end(stored);
      expect((await read(jar)).state).toBe("ended");
    },
  );

  test("without a store a copied cookie stays good until it expires", async () => {
    const { sessions, read, stored, jar } = await signedInParts({ store: null });
    await sessions.end(stored);
    expect((await read(jar)).state).toBe("active");
  });

  test("a session in the store ends by its handle, and is returned", async () => {
    const { sessions, read, store, stored, jar } = await signedInParts(stateful);
    const handle = stored.record?.handle;
    if (handle === undefined) throw new Error("it is not in the store");
    expect(await sessions.endByHandle(handle)).toMatchObject({ header: stored.header, data: ada });
    expect(store.list("session|")).toEqual([]);
    expect(await read(jar)).toMatchObject({ reason: "elsewhere" });
    expect(await sessions.endByHandle(handle)).toBeNull();
    expect(await sessionParts({ store: null }).sessions.endByHandle(handle)).toBeNull();
  });

  test("an unreadable session in the store ends by its handle all the same", async () => {
    const { sessions, store, stored } = await signedInParts(stateful);
    const [key = ""] = store.list("session|");
    await store.set(key, "garbage", signedInAt + 1000);
    const handle = stored.record?.handle ?? sessionParts().seal.handleOf(stored.header);
    expect(await sessions.endByHandle(handle)).toBeNull();
    expect(store.list("session|")).toEqual([]);
    expect(store.list("id|")).toEqual([`id|${stored.header.id}`]);
  });
});

test.each(Object.entries({ "in the cookie": {}, "in the store": stateful }))(
  "a renewal of a session %s keeps what another version has written [OP-065]",
  async (_, kind) => {
    const data = { user: { sub: "ada" }, newField: { a: 1 } };
    const { seal, sessions, jar, read, advance } = await signedInParts(kind, data);
    advance(3600);
    const result = await read(jar);
    if (result.state !== "active") throw new Error(result.state);
    const newer = { ...result.stored.header, newMember: "kept" };
    const written = sessions.renew({ ...result.stored, header: newer }, jar);
    await written.saved;
    const again = await read(jarAfter(written.setCookies));
    if (again.state !== "active") throw new Error(again.state);
    expect(again.stored.header).toMatchObject({ newMember: "kept", kid: seal.keyId({}) });
    expect(again.stored.data).toMatchObject({ newField: { a: 1 } });
  },
);
