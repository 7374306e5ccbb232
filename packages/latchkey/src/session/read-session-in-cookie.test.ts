import { describe, expect, test } from "vitest";

import { jarAfter } from "../../test/browser/cookie-jar.ts";
import {
  activeData,
  ada,
  type SessionParts,
  sessionParts,
  signedInParts,
  type SessionPartsOptions,
  signedInAt,
  stateful,
} from "../../test/sessions/session-parts.ts";
import { type MemoryStore, memoryStore } from "../stores/memory.ts";
import { carriedSession, readAgain } from "./read-session.ts";
import type { SessionData, StoredSession } from "./session.ts";
import { recordKey, userTag } from "./session-handle.ts";

const atStart = () => memoryStore(() => signedInAt * 1000);
const withToken: SessionData = { ...ada, refreshToken: "rt-0" };

test.each([
  ["with a refresh token, together with its record", withToken, 4],
  ["without one, which stays in its cookie", ada, 3],
])("the marks on a session %s are read in one round trip", async (_, data, count) => {
  const read: (readonly string[])[] = [];
  const inner = atStart();
  const store: MemoryStore = { ...inner, get: (keys) => (read.push(keys), inner.get(keys)) };
  const { stored, jar } = await signedInParts({ store: null }, data);
  const parts = sessionParts({ store });
  expect(await parts.read(jar)).toMatchObject({ state: "active", stored: { record: null } });
  const { id, subTag } = stored.header;
  const marks = [`id|${id}`, `sub-without-sid|${subTag}`, `sub|${subTag}`];
  const movedTo = recordKey(parts.seal.handleOf(stored.header));
  expect(read).toEqual([[...marks, movedTo].slice(0, count)]);
});

describe("a session in a cookie, after sessions moved to the store", () => {
  /** Two instances of one app: the one keeps sessions in cookies, the other in the store. */
  async function world() {
    const store = atStart();
    const [inCookies, inStore] = [sessionParts({ store }), sessionParts({ store, ...stateful })];
    const { stored, setCookies } = await inCookies.signIn();
    const old = jarAfter(setCookies);
    const activeIn = async (jar: Record<string, string>) => {
      const found = await inStore.read(jar);
      if (found.state !== "active") throw new Error(`the session is ${found.state}`);
      return found.stored;
    };
    return { store, inCookies, inStore, stored, old, activeIn };
  }

  const setting = (theme: string) => async (data: SessionData) => ({ ...data, theme });

  test("is written to the store when it is renewed, and its browser gets the handle next", async () => {
    const { inStore, old, activeIn } = await world();
    const before = await activeIn(old);
    expect(before.record).toBeNull();
    const { setCookies, saved } = inStore.sessions.renew(before, old);
    await saved;
    expect(jarAfter(setCookies)["appSession"]).toMatch(/^ey/);
    const { subTag } = before.header;
    const [listed] = await inStore.userSessions.list(subTag);
    expect(listed?.stored.header.id).toBe(before.header.id);
    const moved = await activeIn(old);
    expect(moved.record?.handle).toEqual(inStore.seal.handleOf(before.header));
    expect(jarAfter(inStore.sessions.renew(moved, old).setCookies)["appSession"]).not.toMatch(
      /^ey/,
    );
  });

  test("keeps an update of the store if its old cookie was used in the same second", async () => {
    const { inStore, old, activeIn } = await world();
    await inStore.sessions.renew(await activeIn(old), old).saved;
    await inStore.sessions.update(await activeIn(old), setting("store"), old);
    expect((await activeIn(old)).data).toMatchObject({ theme: "store" });
  });

  test("counts as it is in the store once it has moved, whatever an older cookie holds", async () => {
    const { inCookies, inStore, stored, old, activeIn } = await world();
    await inStore.sessions.update(await activeIn(old), setting("store"), old);
    inCookies.advance(10);
    const changed = await inCookies.sessions.update(stored, setting("cookie"), old);
    const found = await activeIn(jarAfter(changed?.setCookies ?? []));
    expect(found.data["theme"]).toBe("store");
    expect(found.record).not.toBeNull();
  });

  test("is written to the store by an update, and its browser gets the handle at once", async () => {
    const { inStore, old, activeIn } = await world();
    const changed = await inStore.sessions.update(await activeIn(old), setting("dark"), old);
    const jar = jarAfter(changed?.setCookies ?? []);
    expect(jar["appSession"]).not.toMatch(/^ey/);
    expect((await activeIn(jar)).data["theme"]).toBe("dark");
    expect((await activeIn(old)).data["theme"]).toBe("dark");
  });

  test("leaves no record if it was ended while it moved", async () => {
    const { store, inStore, old, activeIn } = await world();
    const before = await activeIn(old);
    await inStore.sessions.end(before);
    expect(await inStore.sessions.inItsPlace(before)).toBeNull();
    expect(store.list("session|")).toEqual([]);
  });

  test("goes on if its record cannot be read", async () => {
    const { store, inStore, stored, old, activeIn } = await world();
    const key = recordKey(inStore.seal.handleOf(stored.header));
    await store.set(key, "garbage", signedInAt + 1000);
    expect((await activeIn(old)).data).toEqual(ada);
  });

  test("ends in both places by the handle of the store", async () => {
    const { inStore, stored, old, activeIn } = await world();
    await inStore.sessions.renew(await activeIn(old), old).saved;
    const handle = inStore.seal.handleOf(stored.header);
    expect(await inStore.sessions.endByHandle(handle)).toMatchObject({ data: ada });
    expect(await inStore.read(old)).toMatchObject({ state: "ended", reason: "elsewhere" });
  });
});

describe("a session read again", () => {
  const again = ({ reader }: SessionParts, stored: StoredSession, after = 0) =>
    readAgain(reader, stored, signedInAt + after);

  const kinds = { "without a store": { store: null }, "in a cookie": {}, "in the store": stateful };
  test.each(Object.entries(kinds))("%s, is active until it is over", async (_, kind) => {
    const { stored, ...parts } = await signedInParts(kind);
    expect(activeData(await again(parts, stored))).toEqual(ada);
    expect(await again(parts, stored, 86_400)).toMatchObject({ state: "ended", reason: "idle" });
  });

  test.each(Object.entries<SessionPartsOptions>({ "in a cookie": {}, "in the store": stateful }))(
    "%s, has ended where its user was ended meanwhile",
    async (_, kind) => {
      const { stored, ...parts } = await signedInParts(kind);
      parts.advance(1);
      await parts.ended?.endUser(stored.header.subTag);
      expect(await again(parts, stored)).toMatchObject({ state: "ended", reason: "elsewhere" });
    },
  );

  test("in the store, has the data of an update that came meanwhile", async () => {
    const { stored, ...parts } = await signedInParts(stateful);
    await parts.sessions.update(stored, async (data) => ({ ...data, theme: "dark" }), {});
    expect(activeData(await again(parts, stored))).toHaveProperty("theme", "dark");
    const key = recordKey(stored.record?.handle ?? parts.seal.handleOf(stored.header));
    await parts.store.delete(key);
    expect(await again(parts, stored)).toMatchObject({ state: "none" });
  });
});

test("cookies are read without the store, and only with a key of ours", async () => {
  const [inCookie, inStore] = [sessionParts(), sessionParts(stateful)];
  const { stored, setCookies } = await inCookie.signIn();
  expect(carriedSession(inCookie.reader, jarAfter(setCookies))).toMatchObject({
    header: { id: stored.header.id },
  });
  const subTag = userTag({ issuer: "https://op.example", client: "client" }, "ada");
  expect(carriedSession(inStore.reader, await inStore.jarOf())).toMatchObject({ subTag });
  expect(carriedSession(inCookie.reader, { appSession: "x" })).toBeNull();
  expect(carriedSession(inCookie.reader, {})).toBeNull();
});
