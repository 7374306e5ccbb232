import { describe, expect, test } from "vitest";

import { jarAfter } from "../../test/browser/cookie-jar.ts";
import {
  activeData,
  ada,
  registration,
  sessionParts,
  signedInParts,
  type SessionPartsOptions,
  signedInAt,
  stateful,
} from "../../test/sessions/session-parts.ts";
import { watchedStore } from "../../test/watched-store.ts";
import { type MemoryStore, memoryStore } from "../stores/memory.ts";
import { markKeys } from "./marks/ended-list.ts";
import { activeSession, decide, foundSession, type SessionResult } from "./read-session.ts";
import type { SessionData, StoredSession } from "./session.ts";
import { formatHandle, parseHandle, userTag } from "./session-handle.ts";

/** A store that records its reads. */
function countingStore(): { store: MemoryStore; asked: unknown[] } {
  const asked: unknown[] = [];
  const store = watchedStore(
    memoryStore(() => signedInAt * 1000),
    (operation, given) => {
      if (operation === "get") asked.push(...given);
    },
  );
  return { asked, store };
}

const longData = (length: number): SessionData => ({
  user: {
    sub: "ada",
    about: Array.from({ length: length / 8 }, (_, at) => `${at}`.padStart(8)).join(""),
  },
});

const kinds = Object.entries<SessionPartsOptions>({
  "in the cookie": {},
  "in the store": stateful,
});

const header = {
  uat: 2000,
  iat: 1000,
  exp: 90_000,
  id: "s",
  subTag: "t",
  issuer: "https://op.example",
  client: "client",
};
const anySession: StoredSession = { header, data: ada, record: null };

test.each<[string, SessionResult, StoredSession | null, StoredSession | null]>([
  ["there is none", { state: "none" }, null, null],
  ["it has ended", { state: "ended", reason: "idle", stored: anySession }, anySession, null],
  ["it is active", { state: "active", stored: anySession }, anySession, anySession],
])("a session is found as far as it could be read: %s", (_, result, found, active) => {
  expect(foundSession(result)).toBe(found);
  expect(activeSession(result)).toBe(active);
});

test("what has not been read yet is not active", () => {
  expect(activeSession(null)).toBeNull();
});

describe("what a request carries", () => {
  test.each(kinds)("a session that was made %s is found again", async (_, kind) => {
    const { jarOf, read } = sessionParts(kind);
    expect(activeData(await read(await jarOf()))).toEqual(ada);
  });

  test.each([{}, { appSession: "", "appSession.0": "" }, { other: "x" }])(
    "the cookies %j carry no session, and the store is not read",
    async (cookies) => {
      const { store, asked } = countingStore();
      expect(await sessionParts({ store }).read(cookies)).toEqual({ state: "none" });
      expect(asked).toEqual([]);
    },
  );

  test("an unreadable value is an unreadable session, and the store is not read", async () => {
    const { store, asked } = countingStore();
    const unreadable = { state: "ended", reason: "unreadable", stored: null };
    const cut = `${"t".repeat(16)}.${"x".repeat(43)}`;
    for (const appSession of ["x", "session|abc", "../../etc", cut]) {
      expect(await sessionParts({ store }).read({ appSession })).toEqual(unreadable);
    }
    expect(asked).toEqual([]);
  });

  test.each(kinds)("a session %s costs one question to the store", async (_, kind) => {
    const { store, asked } = countingStore();
    const { jarOf, read } = sessionParts({ ...kind, store });
    for (let count = 0; count < 20; count += 1) await jarOf();
    const jar = await jarOf(ada, { sid: "sid-1" });
    expect(asked).toHaveLength(0);
    expect(activeData(await read(jar))).toEqual(ada);
    expect(asked).toHaveLength(1);
  });
});

describe("chunks", () => {
  test("a session with a lost chunk is never read in part", async () => {
    const { read, jar } = await signedInParts({}, longData(7000));
    expect(Object.keys(jar).length).toBeGreaterThan(2);
    for (const name of Object.keys(jar)) {
      const { [name]: _lost, ...rest } = jar;
      expect((await read(rest)).state).not.toBe("active");
    }
  });

  test("chunks of two sessions are never mixed", async () => {
    const { jarOf, read } = sessionParts();
    const [one, other] = [await jarOf(longData(7000)), await jarOf(longData(7000))];
    for (const name of Object.keys(one)) {
      expect(await read({ ...one, [name]: other[name] })).toMatchObject({ state: "ended" });
    }
  });

  test.each([-500, 500])(
    "of a plain cookie beside chunks, used %i seconds from them, the one that was used last counts",
    async (seconds) => {
      const { jarOf, read, advance } = sessionParts();
      advance(1000);
      const chunks = await jarOf(longData(7000));
      advance(seconds);
      const plain = await jarOf();
      advance(1000);
      const expected = signedInAt + 1000 + Math.max(0, seconds);
      expect(await read({ ...chunks, ...plain })).toMatchObject({
        stored: { header: { uat: expected } },
      });
    },
  );

  test.each(["tossed", ""])(
    "a plain cookie that cannot be read hides no good chunks: %j [STD-143]",
    async (appSession) => {
      const { jarOf, read } = sessionParts();
      const chunks = await jarOf(longData(7000));
      expect((await read({ ...chunks, appSession })).state).toBe("active");
    },
  );

  test.each(["tossed", "t".repeat(16) + `.${"x".repeat(43)}..${"k".repeat(8)}`])(
    "a chunk that holds no session hides no good plain cookie: %.20s",
    async (chunk) => {
      const { jarOf, read } = sessionParts();
      const plain = await jarOf();
      expect((await read({ ...plain, "appSession.0": chunk })).state).toBe("active");
    },
  );

  test("a session in chunks counts before a handle beside it", async () => {
    const { seal, jarOf, read } = sessionParts();
    const secret = "x".repeat(43);
    const handle = { subTag: "t".repeat(16), secret, sidTag: undefined, keyId: seal.keyId({}) };
    const chunks = await jarOf(longData(7000));
    const both = { ...chunks, appSession: formatHandle(handle) };
    expect((await read(both)).state).toBe("active");
    const { appSession = "" } = await jarOf();
    const swapped = { appSession, "appSession.0": formatHandle(handle) };
    expect((await read(swapped)).state).toBe("active");
  });

  test("of an unreadable plain cookie and unreadable chunks, the plain one gives the reason", async () => {
    const foreign = await sessionParts({ registration: { client: "other" } }).jarOf();
    const { read } = sessionParts();
    expect(await read({ ...foreign, "appSession.0": "tossed" })).toEqual({ state: "none" });
    const behind = { appSession: "tossed", "appSession.0": foreign["appSession"] };
    expect(await read(behind)).toMatchObject({ state: "ended", reason: "unreadable" });
  });
});

describe("a cookie of another app on the same host", () => {
  const others: [string, SessionPartsOptions][] = [
    ["another issuer", { registration: { issuer: "https://other.example" } }],
    ["another client", { registration: { client: "other" } }],
  ];

  test.each(others)("reports a session of %s, which counts as none", async (_, other) => {
    const { read, foreign } = sessionParts();
    expect(await read(await sessionParts(other).jarOf())).toEqual({ state: "none" });
    expect(foreign()).toBe(1);
  });

  test("a foreign plain cookie hides no chunks of ours", async () => {
    const { jarOf, read } = sessionParts();
    const [, other] = others[0] ?? [];
    const foreign = await sessionParts(other).jarOf();
    expect((await read({ ...(await jarOf(longData(7000))), ...foreign })).state).toBe("active");
  });
});

describe("a session sealed by no key of ours", () => {
  const [oldSecret, newSecret] = ["old-".repeat(8), "new-".repeat(8)];
  const withSecrets = (secret: string | string[], { settings }: SessionPartsOptions) => ({
    settings: { ...settings, secret },
  });

  test.each(kinds)(
    "reports the key of a session %s, which counts as none [OP-080]",
    async (_, kind) => {
      const other = sessionParts(withSecrets(newSecret, kind));
      const { read, unknownKeys } = sessionParts(withSecrets(oldSecret, kind));
      expect(await read(await other.jarOf())).toEqual({ state: "none", reason: "unknown-key" });
      expect(unknownKeys).toEqual([other.seal.keyId({})]);
    },
  );

  test("a record sealed by another instance with a newer key stays [OP-080]", async () => {
    const store = memoryStore(() => signedInAt * 1000);
    const behind = sessionParts({ ...withSecrets(oldSecret, stateful), store });
    const ahead = sessionParts({ ...withSecrets([newSecret, oldSecret], stateful), store });
    const jar = await behind.jarOf();
    const result = await ahead.read(jar);
    if (result.state !== "active") throw new Error(result.state);
    await ahead.sessions.renew(result.stored, jar).saved;
    expect(await behind.read(jar)).toEqual({ state: "none", reason: "unknown-key" });
    expect(behind.unknownKeys).toEqual([ahead.seal.keyId({})]);
    expect((await ahead.read(jar)).state).toBe("active");
  });

  test.each(kinds)(
    "a session %s that is renewed while a secret is exchanged outlives the old one [OP-081]",
    async (_, kind) => {
      const store = memoryStore(() => signedInAt * 1000);
      const steps = [oldSecret, [oldSecret, newSecret], [newSecret, oldSecret], newSecret];
      let jar: Record<string, string> = {};
      for (const secret of steps) {
        const instance = sessionParts({ ...withSecrets(secret, kind), store });
        if (secret === oldSecret) jar = await instance.jarOf();
        const result = await instance.read(jar);
        if (result.state !== "active") throw new Error(`${String(secret)}: ${result.state}`);
        jar = jarAfter(instance.sessions.renew(result.stored, jar).setCookies, jar);
      }
      expect(jar).not.toEqual({});
    },
  );
});

describe("a handle", () => {
  async function handleOf(jar: Record<string, string>) {
    const handle = parseHandle(jar["appSession"] ?? "");
    if (handle === null) throw new Error("no handle");
    return handle;
  }

  test("a handle planted finds nothing, and signing in does not take it over", async () => {
    const { jarOf, read, seal } = sessionParts(stateful);
    const [subTag, secret] = ["p".repeat(16), "p".repeat(43)];
    const planted = formatHandle({ subTag, secret, sidTag: undefined, keyId: seal.keyId({}) });
    expect(await read({ appSession: planted })).toMatchObject({ state: "ended", stored: null });
    expect((await jarOf())["appSession"]).not.toBe(planted);
    expect(await read({ appSession: planted })).toMatchObject({ state: "ended", stored: null });
  });

  test("a handle with another user's tag finds nothing", async () => {
    const { read, jar } = await signedInParts(stateful);
    const forged = formatHandle({ ...(await handleOf(jar)), subTag: "A".repeat(16) });
    expect(await read({ appSession: forged })).toMatchObject({ state: "ended", stored: null });
    expect((await read(jar)).state).toBe("active");
  });

  test.each([undefined, "A".repeat(16)])(
    "a handle whose session tag was changed to %s does not escape the marks on its session",
    async (sidTag) => {
      const { read, ended, advance, jar } = await signedInParts(stateful, ada, { sid: "sid-1" });
      advance(1);
      await ended?.of(registration).endNamed({ sid: "sid-1" });
      const forged = formatHandle({ ...(await handleOf(jar)), sidTag });
      expect(await read({ appSession: forged })).toMatchObject({ reason: "elsewhere" });
    },
  );

  test("a record of another client in the same store is left alone", async () => {
    const store = memoryStore(() => signedInAt * 1000);
    const other = sessionParts({ ...stateful, store, registration: { client: "other" } });
    const own = sessionParts({ ...stateful, store });
    expect((await own.read(await other.jarOf())).state).toBe("none");
  });

  test.each(["", "garbage", "a.b.c.d.e"])(
    "a record that cannot be read ends the session: %j",
    async (sealed) => {
      const { read, store, jar } = await signedInParts(stateful);
      const [key = ""] = store.list("session|");
      await store.set(key, sealed, signedInAt + 1000);
      expect(await read(jar)).toMatchObject({ state: "ended", reason: "unreadable" });
    },
  );

  test("a handle in an app without a store is left alone [OP-067]", async () => {
    const jar = await sessionParts(stateful).jarOf();
    const parts = sessionParts({ store: null });
    expect(await parts.read(jar)).toEqual({ state: "none" });
    expect([parts.storeMissing(), parts.unknownKeys]).toEqual([1, []]);
    const { keyId } = await handleOf(jar);
    const settings = { secret: "another-secret-0123456789abcdef-0123" };
    const other = sessionParts({ store: null, settings });
    expect(await other.read(jar)).toEqual({ state: "none", reason: "unknown-key" });
    expect([other.storeMissing(), other.unknownKeys]).toEqual([0, [keyId]]);
  });

  test("an expired session names its user for ten minutes, and only its end later [OP-135]", async () => {
    const { read, advance, jar } = await signedInParts(stateful);
    advance(86_400 + 3600 + 599);
    expect(await read(jar)).toMatchObject({ reason: "idle", stored: { data: ada } });
    advance(1);
    expect(await read(jar)).toEqual({ state: "ended", reason: "idle", stored: null });
  });

  test("a copy of the cookie of a signed-out session has ended elsewhere", async () => {
    const { read, sessions, stored, jar } = await signedInParts(stateful);
    await sessions.end(stored);
    expect(await read(jar)).toMatchObject({ state: "ended", reason: "elsewhere" });
  });
});

describe("marks", () => {
  test.each(kinds)("a mark on its provider session ends a session %s", async (_, kind) => {
    const { read, ended, advance, jar } = await signedInParts(
      kind,
      { user: { sub: "renamed" } },
      { sub: "ada", sid: "sid-1" },
    );
    advance(1);
    await ended?.of(registration).endNamed({ sid: "sid-1" });
    expect(await read(jar)).toMatchObject({ state: "ended", reason: "elsewhere" });
  });

  test.each(kinds)(
    "a token that names sid and sub ends a session %s that has no sid [Back-Channel Logout 1.0, section 2.4]",
    async (_, kind) => {
      const { jarOf, read, ended, advance, store } = sessionParts(kind);
      const [without, withAnother, bens] = [
        await jarOf(ada),
        await jarOf(ada, { sid: "sid-2" }),
        await jarOf({ user: { sub: "ben" } }),
      ];
      advance(1);
      await ended?.of(registration).endNamed({ sid: "sid-1", sub: "ada" });
      const states = [];
      for (const jar of [without, withAnother, bens]) states.push((await read(jar)).state);
      expect(states).toEqual(["ended", "active", "active"]);
      const tag = userTag(registration, "ada");
      expect(store.list("sub-without-sid|")).toEqual([`sub-without-sid|${tag}`]);
    },
  );

  test("a session without a start is judged by its creation", () => {
    const lifetime = { rolling: null, absolute: null };
    const onUser = markKeys(anySession.header).at(-1);
    const stateWith = (mark: string) =>
      decide({ stored: anySession, marks: (key) => (key === onUser ? mark : null) }, lifetime, 3000)
        .state;
    expect([stateWith("1000000"), stateWith("1000001")]).toEqual(["active", "ended"]);
  });
});
