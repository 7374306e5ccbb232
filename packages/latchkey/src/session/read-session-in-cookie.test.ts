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
const tokens = { accessToken: "at-1", refreshToken: "rt-1" };
const result = { generation: 1, tokens, claims: null };

/** Somebody spends the refresh token of a session. */
async function spend({ reader: { tickets } }: SessionParts, session: StoredSession) {
  const ticket = tickets.of(session);
  if (ticket === null) throw new Error("there is no ticket");
  const attempt = { ticket, owner: "one" };
  await tickets.take(attempt, 1000);
  await tickets.settle(attempt, result, 86_400_000);
  return ticket.key;
}

describe("what has become of the tokens of a session in a cookie", () => {
  const done = { state: "done", result };

  test("is asked for together with its marks, in one question", async () => {
    const asked: (readonly string[])[] = [];
    const inner = atStart();
    const store: MemoryStore = { ...inner, get: (keys) => (asked.push(keys), inner.get(keys)) };
    const { stored, jar, ...parts } = await signedInParts({ store }, withToken);
    expect(await parts.read(jar)).toMatchObject({
      state: "active",
      handOff: { state: { state: "unspent" }, formerText: undefined },
    });
    const { id, subTag } = stored.header;
    const marks = [`id|${id}`, `sub-without-sid|${subTag}`, `sub|${subTag}`];
    expect(asked).toEqual([[...marks, parts.reader.tickets.of(stored)?.key]]);
    expect([parts.foreign(), parts.unknownKeys]).toEqual([0, []]);
  });

  test("is nothing, where it has no refresh token", async () => {
    const { read, jarOf } = sessionParts();
    expect(await read(await jarOf())).toMatchObject({ handOff: { state: null } });
  });

  test("is told by the store, where another process has spent the token", async () => {
    const store = atStart();
    const { stored, jar, ...parts } = await signedInParts({ store }, withToken);
    await spend(sessionParts({ store }), stored);
    expect(await parts.read(jar)).toMatchObject({
      state: "active",
      handOff: { state: done },
    });
  });

  test("is told by this process, where the store has lost it", async () => {
    const { stored, jar, ...parts } = await signedInParts({}, withToken);
    await parts.store.delete(await spend(parts, stored));
    expect(await parts.read(jar)).toMatchObject({ handOff: { state: done } });
  });

  test("is told with what the store has of the ticket that brought them", async () => {
    const { stored, ...parts } = await signedInParts({}, withToken);
    const ticket = await spend(parts, stored);
    const [formerText] = await parts.store.get([ticket]);
    const header = { ...stored.header, generation: 1, ticket };
    const appSession = parts.seal.seal({ header, data: { ...ada, refreshToken: "rt-1" } });
    expect(await parts.read({ appSession })).toMatchObject({
      handOff: { state: { state: "unspent" }, formerText },
    });
  });

  test("is known to this process alone, where there is no store", async () => {
    const { stored, jar, ...parts } = await signedInParts({ store: null }, withToken);
    const before = await parts.read(jar);
    expect(before).toEqual({ state: "active", stored: expect.anything(), handOff: undefined });
    const ticket = await spend(parts, stored);
    expect(await parts.read(jar)).toMatchObject({ handOff: { state: done } });
    const header = { ...stored.header, generation: 1, ticket };
    const appSession = parts.seal.seal({ header, data: { ...ada, refreshToken: "rt-1" } });
    expect(await parts.read({ appSession })).toMatchObject({
      state: "active",
      handOff: { state: { state: "unspent" } },
    });
  });
});

describe("a session in a cookie, where sessions live in the store by now", () => {
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

  test("is written to the store when it is renewed, and its browser gets the handle after that", async () => {
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

  test("keeps an update that was made in the store, where its old cookie was used in the same second", async () => {
    const { inStore, old, activeIn } = await world();
    await inStore.sessions.renew(await activeIn(old), old).saved;
    await inStore.sessions.update(await activeIn(old), setting("store"), old);
    expect((await activeIn(old)).data).toMatchObject({ theme: "store" });
  });

  test.each([
    ["in the store", 10, 5, "store"],
    ["in the cookie", 5, 10, "cookie"],
    ["in both in one second", 5, 5, "cookie"],
  ])("is as it was used last, %s", async (_, storeAfter, cookieAfter, expected) => {
    const { inCookies, inStore, stored, old, activeIn } = await world();
    inStore.advance(storeAfter);
    const [inTheStore] = [await activeIn(old)];
    await inStore.sessions.renew({ ...inTheStore, data: { ...ada, theme: "store" } }, old).saved;
    inCookies.advance(cookieAfter);
    const changed = await inCookies.sessions.update(stored, setting("cookie"), old);
    const found = await activeIn(jarAfter(changed?.setCookies ?? []));
    expect(found.data["theme"]).toBe(expected);
    expect(found.record).not.toBeNull();
  });

  test("goes on where what lies in its place cannot be read", async () => {
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

describe("a session that is read again", () => {
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

test("what cookies hold is told without the store, and nothing of what no key of ours opens", async () => {
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
