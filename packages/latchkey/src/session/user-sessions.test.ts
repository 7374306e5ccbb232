import { expect, test } from "vitest";

import { sessionSeal } from "../../test/session-seal.ts";
import { jarAfter } from "../../test/cookie-jar.ts";
import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import { memoryStore } from "../stores/memory.ts";
import { personSessions } from "./person-sessions.ts";
import type { StoredSession } from "./session.ts";
import { createSessionCookie } from "./session-cookie.ts";
import { storeStorage } from "./store-storage.ts";

const party = { issuer: "https://op.example", client: "client" };

function sessionOf(sub: string, id: string): StoredSession {
  const header = { uat: 2000, iat: 1000, exp: 90_000, id, started: 5, ...party };
  return { header, data: { user: { sub } } };
}

/** Storage and list of one app; a second one may share the store. */
function app(store = memoryStore(() => 3_000_000), client = party.client) {
  const config = readConfig({ ...goodSettings, session: { stateful: true } }, { hasStore: true });
  const shared = {
    party: { ...party, client },
    seal: sessionSeal(config.secrets, { ...party, client }),
    store,
  };
  const storage = storeStorage({
    ...shared,
    name: config.session.name,
    cookie: createSessionCookie(config),
    newHandle: () => crypto.randomUUID().replaceAll("-", "").padEnd(43, "h"),
  });
  const ofPerson = personSessions(shared);
  const idsOf = async (sub: string) =>
    new Set((await ofPerson.list(sub)).map(({ session }) => session.header.id));
  return { store, storage, ofPerson, idsOf };
}

test("finds every session of a person, and nobody else's", async () => {
  const { storage, idsOf } = app();
  for (const id of ["a", "b"]) await storage.create(sessionOf("ada", id), {});
  for (const sub of ["bob", "ad", "ada2", ""]) await storage.create(sessionOf(sub, sub), {});
  expect(await idsOf("ada")).toEqual(new Set(["a", "b"]));
  expect(await idsOf("nobody")).toEqual(new Set());
});

test("the same person at another client of the same store is somebody else", async () => {
  const { store, storage, idsOf } = app();
  const other = app(store, "other");
  await storage.create(sessionOf("ada", "a"), {});
  expect(await idsOf("ada")).toEqual(new Set(["a"]));
  expect(await other.idsOf("ada")).toEqual(new Set());
});

test("what no key of ours opens is left out", async () => {
  const { store, storage, idsOf } = app();
  await storage.create(sessionOf("ada", "a"), {});
  const [key = ""] = await store.list("session|");
  await store.set(`${key.slice(0, -1)}x`, "not.ours", 90_000);
  expect(await idsOf("ada")).toEqual(new Set(["a"]));
});

test("a session that an app has given to another person is not the first one's any more", async () => {
  const { storage, idsOf } = app();
  const jar = jarAfter(await storage.create(sessionOf("ada", "a"), {}));
  await storage.renew(sessionOf("bob", "a"), jar);
  expect(await idsOf("ada")).toEqual(new Set());
});

test("what was removed is gone, its browser learns that it was done from elsewhere [ATK-009]", async () => {
  const { store, storage, ofPerson } = app();
  const session = sessionOf("ada", "a");
  const jar = jarAfter(await storage.create(session, {}));
  await ofPerson.remove(await ofPerson.list("ada"));
  expect(await store.list("session|")).toEqual([]);
  expect(await storage.renew(session, jar)).toBeNull();
  expect(await storage.load(jar)).toBe("elsewhere");
});
