import { expect, test } from "vitest";

import { jarAfter } from "../../test/browser/cookie-jar.ts";
import {
  registration,
  type SessionParts,
  sessionParts,
  signedInParts,
  signedInAt,
  stateful,
} from "../../test/sessions/session-parts.ts";
import { memoryStore } from "../stores/memory.ts";
import type { SessionContent } from "./seal.ts";
import { userIndex, userTag } from "./session-handle.ts";

const tag = userTag(registration, "ada");

async function idsOf(
  { userSessions }: SessionParts,
  subTag = tag,
): Promise<Set<string | undefined>> {
  return new Set((await userSessions.list(subTag)).map(({ stored }) => stored.header.id));
}

async function signInOf(parts: SessionParts, sub: string): Promise<string | undefined> {
  return (await parts.signIn({ user: { sub } })).stored.header.id;
}

test("the list holds every session of a user, and no others", async () => {
  const parts = sessionParts(stateful);
  const own = [await signInOf(parts, "ada"), await signInOf(parts, "ada")];
  for (const sub of ["bob", "ad", "ada2", ""]) await signInOf(parts, sub);
  expect(await idsOf(parts)).toEqual(new Set(own));
  expect(await idsOf(parts, userTag(registration, "nobody"))).toEqual(new Set());
});

test("the same sub at another client of the same store is another user", async () => {
  const store = memoryStore(() => signedInAt * 1000);
  const parts = sessionParts({ ...stateful, store });
  const other = sessionParts({ ...stateful, store, registration: { client: "other" } });
  const id = await signInOf(parts, "ada");
  expect(await idsOf(parts)).toEqual(new Set([id]));
  expect(await idsOf(other, userTag({ ...registration, client: "other" }, "ada"))).toEqual(
    new Set(),
  );
});

test("a record opened by no key of ours is left out", async () => {
  const parts = sessionParts(stateful);
  const id = await signInOf(parts, "ada");
  const [key = ""] = parts.store.list("session|");
  await parts.store.set(`${key.slice(0, -1)}x`, "not.ours", signedInAt + 1000);
  await parts.store.join(userIndex(tag), `${key.slice(0, -1)}x`, signedInAt + 1000);
  expect(await idsOf(parts)).toEqual(new Set([id]));
});

test("a record of another user in this user's list is left out", async () => {
  const parts = sessionParts(stateful);
  await signInOf(parts, "bob");
  const [key = ""] = parts.store.list("session|");
  const [sealed] = await parts.store.get([key]);
  // Under the end of its own key it opens.
  const planted = `session|${tag}|${key.slice(key.lastIndexOf("|") + 1)}`;
  await parts.store.set(planted, sealed ?? "", signedInAt + 1000);
  await parts.store.join(userIndex(tag), planted, signedInAt + 1000);
  expect(await idsOf(parts)).toEqual(new Set());
});

test("a session whose user the app renamed stays in the list of the signed-in user", async () => {
  const { stored, ...parts } = await signedInParts(
    stateful,
    { user: { sub: "renamed" } },
    { sub: "ada" },
  );
  expect(await idsOf(parts)).toEqual(new Set([stored.header.id]));
});

test("a removed session is gone, and its browser learns of an end elsewhere [ATK-009]", async () => {
  const { stored, jar, ...parts } = await signedInParts(stateful);
  await parts.userSessions.remove(await parts.userSessions.list(tag));
  expect(parts.store.list("session|")).toEqual([]);
  expect(await parts.store.members(userIndex(tag))).toEqual([]);
  const changed = async (data: typeof stored.data) => ({ ...data, theme: "dark" });
  expect(await parts.sessions.update(stored, changed, {})).toBeNull();
  expect(await parts.read(jar)).toMatchObject({ reason: "elsewhere" });
});

test("a session ended while the list is read is left out", async () => {
  const inner = memoryStore(() => signedInAt * 1000);
  const store = { ...inner, get: (keys: readonly string[]) => keys.map(() => null) };
  const parts = sessionParts({ ...stateful, store });
  await signInOf(parts, "ada");
  expect(await idsOf(parts)).toEqual(new Set());
});

test("only the browser of the removed session learns of it", async () => {
  const parts = sessionParts(stateful);
  const [lost, removed] = [await parts.signIn(), await parts.signIn()];
  const isRemoved = (id: string | undefined) => id === removed.stored.header.id;
  const found = await parts.userSessions.list(tag);
  await parts.userSessions.remove(found.filter(({ stored }) => isRemoved(stored.header.id)));
  for (const key of parts.store.list("session|")) await parts.store.delete(key);
  expect(await parts.read(jarAfter(lost.setCookies))).toMatchObject({ reason: "idle" });
  expect(await parts.read(jarAfter(removed.setCookies))).toMatchObject({ reason: "elsewhere" });
});

test("a list leaves out an expired session, and deletes nothing: the clock may be wrong", async () => {
  const parts = sessionParts(stateful);
  const id = await signInOf(parts, "ada");
  await parts.store.join(userIndex(tag), `session|${tag}|ended`, signedInAt + 1000);
  expect(await idsOf(parts)).toEqual(new Set([id]));
  expect(await parts.store.members(userIndex(tag))).toHaveLength(2);
});

test("a session is changed for its user without being used, and not after its end", async () => {
  const { stored, ...parts } = await signedInParts(stateful);
  const [found] = await parts.userSessions.list(tag);
  if (found === undefined) throw new Error("the list is empty");
  parts.advance(60);
  const change = async ({ header, data }: SessionContent) => ({
    header,
    data: { ...data, theme: "dark" },
  });
  const changed = await parts.userSessions.change(found, change);
  expect(changed).toMatchObject({
    key: found.key,
    stored: { header: stored.header, data: { theme: "dark" }, record: null },
  });
  expect(await parts.store.get([found.key])).toEqual([changed?.sealed]);
  await parts.userSessions.remove([found]);
  expect(await parts.userSessions.change(found, change)).toBeNull();
});
