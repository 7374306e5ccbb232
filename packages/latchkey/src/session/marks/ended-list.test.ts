import { describe, expect, test } from "vitest";

import { memoryStore } from "../../stores/memory.ts";
import type { Store } from "../../stores/store.ts";
import {
  createEndedList,
  isEnded,
  isEndedAtProvider,
  markedSession,
  markKeys,
} from "./ended-list.ts";
import { readTexts, type Texts } from "../../stores/read-texts.ts";
import type { SessionHeader } from "../session.ts";
import { providerSessionTag, userTag } from "../session-handle.ts";

const keepSeconds = 1000;
const registration = { issuer: "https://op.example", client: "app" };

interface Candidate {
  readonly id?: string;
  readonly sid?: string | undefined;
  readonly sub?: string;
  /** Epoch milliseconds. */
  readonly started?: number;
  /** Epoch seconds. */
  readonly issued?: number;
}

const session = { id: "session-1", sid: "sid-1", sub: "ada", started: 5000 };

function namesOf({ id = "session-1", sid, sub = "ada" }: Candidate) {
  const sidTag = sid === undefined ? undefined : providerSessionTag(registration, sid);
  return { id, sidTag, subTag: userTag(registration, sub) };
}

/** A session that was made long after its sign-in began. */
function headerOf({ started = 5000, issued, ...candidate }: Candidate): SessionHeader {
  const iat = issued ?? Math.ceil(started / 1000);
  const { sidTag, ...names } = namesOf(candidate);
  const known = { ...(sidTag === undefined ? {} : { sidTag }), issued };
  return { uat: iat, iat, exp: iat + 1000, started, ...names, ...known, ...registration };
}

/** Marks on the session itself, on its session at the provider, and on its user. */
const marksOn = (header: SessionHeader, marks: readonly (string | null)[]): Texts => {
  const keys = markKeys(header);
  return (key) => marks[keys.indexOf(key)] ?? null;
};

const isEndedBy = (...marks: (string | null)[]) =>
  isEnded(marksOn(headerOf(session), marks), headerOf(session));

function world(at = 10_000, wrap: (store: Store) => Store = (store) => store) {
  let now = at;
  const clock = () => now;
  const store = wrap(memoryStore(clock));
  const all = createEndedList({ store, keepSeconds, clock });
  const listOf = (others: Partial<typeof registration> = {}) =>
    all.of({ ...registration, ...others });
  return {
    list: { ...all, ...listOf() },
    listOf,
    setClock: (ms: number) => void (now = ms),
    async hasEnded(candidate: Candidate = session): Promise<boolean> {
      const header = headerOf(candidate);
      return isEnded(await readTexts(store, markKeys(header)), header);
    },
  };
}

describe("what a mark ends", () => {
  test("a session named itself has ended, and no other", async () => {
    const { list, hasEnded } = world();
    expect(await hasEnded()).toBe(false);
    await list.endSession("session-1");
    expect(await hasEnded()).toBe(true);
    expect(await hasEnded({ ...session, id: "session-2" })).toBe(false);
  });

  test("a session named itself has ended whenever it was started", async () => {
    const { list, hasEnded } = world();
    await list.endSession("session-1");
    expect(await hasEnded({ ...session, started: 9e12 })).toBe(true);
  });

  test("a sid ends its session at the provider, and no other of the same user [STD-109]", async () => {
    const { list, hasEnded } = world();
    await list.endNamed({ sid: "sid-1" });
    expect(await hasEnded()).toBe(true);
    expect(await hasEnded({ ...session, sid: "sid-2" })).toBe(false);
    expect(await hasEnded({ ...session, sid: undefined })).toBe(false);
  });

  test("a sub ends all sessions of its user, and no others [STD-109]", async () => {
    const { list, hasEnded } = world();
    await list.endNamed({ sub: "ada" });
    expect(await hasEnded()).toBe(true);
    expect(await hasEnded({ ...session, sid: undefined, id: "session-2" })).toBe(true);
    expect(await hasEnded({ ...session, sub: "ben" })).toBe(false);
  });

  test("sid and sub together end that session, and the user's sessions without a sid", async () => {
    const { list, hasEnded } = world();
    await list.endNamed({ sid: "sid-1", sub: "ada" });
    expect(await hasEnded()).toBe(true);
    expect(await hasEnded({ ...session, sid: undefined })).toBe(true);
    expect(await hasEnded({ ...session, sid: "sid-2" })).toBe(false);
    expect(await hasEnded({ ...session, sid: undefined, sub: "ben" })).toBe(false);
  });

  test("the end of a user ends each of their sessions", async () => {
    const { list, hasEnded } = world();
    await list.endUser(userTag(registration, "ada"));
    expect(await hasEnded()).toBe(true);
    expect(await hasEnded({ ...session, sub: "ben" })).toBe(false);
  });

  test("a sub that looks like a sid ends no session at the provider", async () => {
    const { list, hasEnded } = world();
    await list.endNamed({ sub: "sid-1" });
    expect(await hasEnded()).toBe(false);
  });

  test("marks of another issuer or client end no session here [STD-114, ATK-022]", async () => {
    const { listOf, hasEnded } = world();
    await listOf({ issuer: "https://other.example" }).endNamed({ sub: "ada" });
    await listOf({ client: "other" }).endNamed({ sid: "sid-1" });
    expect(await hasEnded()).toBe(false);
  });
});

describe("the time of a mark", () => {
  test.each([
    [9999, true],
    [10_000, false],
    [10_001, false],
  ])(
    "a mark at 10,000 ms ends a sign-in that was started at %i ms: %s [STD-111]",
    async (started, ended) => {
      const { list, hasEnded } = world(10_000);
      await list.endNamed({ sub: "ada" });
      await list.endNamed({ sid: "sid-1" });
      expect(await hasEnded({ ...session, started })).toBe(ended);
    },
  );

  test("a second mark reaches further than the first", async () => {
    const { list, hasEnded, setClock } = world(10_000);
    await list.endNamed({ sub: "ada" });
    setClock(20_000);
    await list.endNamed({ sub: "ada" });
    expect(await hasEnded({ ...session, started: 15_000 })).toBe(true);
  });

  test("a sid the provider uses again does not end the new session", async () => {
    const { list, hasEnded } = world(10_000);
    await list.endNamed({ sid: "sid-1" });
    expect(await hasEnded({ ...session, started: 10_500 })).toBe(false);
  });

  test("a mark made within a second is kept no shorter for it", async () => {
    const { list, hasEnded, setClock } = world(10_999);
    await list.endNamed({ sub: "ada" });
    setClock(10_999 + keepSeconds * 1000 - 1);
    expect(await hasEnded()).toBe(true);
  });

  test("a mark is kept for the longest life of a session, in seconds [CONF-08]", async () => {
    const { list, hasEnded, setClock } = world(1_000_000);
    await list.endNamed({ sub: "ada" });
    setClock(1_000_000 + keepSeconds * 1000 - 1);
    expect(await hasEnded()).toBe(true);
    setClock(1_000_000 + keepSeconds * 1000);
    expect(await hasEnded()).toBe(false);
  });

  test.each([
    "garbage",
    "",
    " ",
    "NaN",
    "1e999",
    "Infinity",
    "-1",
    "0x1",
    "1 2",
    "null",
    "1\n",
    "9".repeat(400),
    "later 20 session-2",
  ])("a mark that cannot be read ends the session: %.20j", (mark) => {
    expect(isEndedBy(null, mark, null)).toBe(true);
    expect(isEndedBy(null, null, mark)).toBe(true);
    expect(isEndedBy(mark, null, null)).toBe(true);
  });

  test("a logout token delivered late takes nothing back", async () => {
    const { list, hasEnded, setClock } = world();
    const late = { ...session, started: 9000, issued: 9 };
    await list.endNamed({ sub: "ada", issued: 10 });
    setClock(20_000);
    await list.endNamed({ sub: "ada", issued: 8 });
    expect(await hasEnded(late)).toBe(true);
    await list.endNamed({ sub: "ada", issued: 20 });
    expect(await hasEnded({ ...session, started: 15_000, issued: 15 })).toBe(true);
  });

  test("a mark of a logout token ends no sign-in that came later by the provider's clock", async () => {
    const { list, hasEnded } = world(10_000);
    await list.endNamed({ sub: "ada", issued: 10 });
    expect(await hasEnded({ ...session, started: 9000, issued: 15 })).toBe(false);
  });

  test("a logout token without a time counts, however late the clock of the provider was before", async () => {
    const { list, hasEnded, setClock } = world(10_000);
    await list.endNamed({ sub: "ada", issued: 3600 });
    setClock(20_000);
    await list.endNamed({ sub: "ada" });
    expect(await hasEnded({ ...session, started: 15_000 })).toBe(true);
  });

  test("a mark with a fraction is read to the fraction", () => {
    expect(isEndedBy(null, null, "5000.5")).toBe(true);
    expect(isEndedBy(null, null, "4999.5")).toBe(false);
  });
});

test("a slow store is waited for", async () => {
  const later = (store: Store): Store => ({
    ...store,
    set: async (...entry) => store.set(...entry),
  });
  const { list, hasEnded } = world(10_000, later);
  await list.endNamed({ sub: "ada" });
  expect(await hasEnded()).toBe(true);
});

describe("ids of logout tokens", () => {
  test("an id is known from when it is remembered until it expires", async () => {
    const { list, setClock } = world(10_000);
    expect(await list.knowsToken("jti-1")).toBe(false);
    expect(await list.rememberToken("jti-1", "attempt", 60)).toBe(true);
    expect(await list.rememberToken("jti-1", "attempt", 60)).toBe(false);
    expect(await list.knowsToken("jti-1")).toBe(true);
    expect(await list.knowsToken("jti-2")).toBe(false);
    setClock(60_000);
    expect(await list.knowsToken("jti-1")).toBe(false);
  });

  test("an id of another issuer is not known", async () => {
    const { list, listOf } = world();
    await listOf({ issuer: "https://other.example" }).rememberToken("jti-1", "attempt", 60);
    expect(await list.knowsToken("jti-1")).toBe(false);
  });

  const issuer = "https://op.example";
  test.each([
    [{ issuer, client: "a|b" }, "c", { issuer, client: "a" }, "b|c"],
    [{ issuer: `${issuer}|a`, client: "b" }, "c", { issuer, client: "a|b" }, "c"],
    [{ issuer, client: "a" }, "b|c", { issuer, client: "a|b" }, "c"],
  ])(
    "an id of %j and %s is none of %j and %s, whatever characters the names have [MX-045, MX-052]",
    async (one, jti, other, otherJTI) => {
      const { listOf } = world();
      await listOf(one).rememberToken(jti, "attempt", 60);
      expect(await listOf(one).knowsToken(jti)).toBe(true);
      expect(await listOf(other).knowsToken(otherJTI)).toBe(false);
    },
  );
});

describe("what a logout token leaves in the store", () => {
  test.each([
    [{ sid: "sid-1" }, 1],
    [{ sub: "ada" }, 1],
    [{ sid: "sid-1", sub: "ada" }, 2],
  ])("a logout of %j leaves one mark for each of its names", async (target, marks) => {
    const written: string[] = [];
    const { list } = world(10_000, (store) => ({
      ...store,
      set: (key, ...rest) => (written.push(key), store.set(key, ...rest)),
    }));
    await list.endNamed(target);
    expect(new Set(written).size).toBe(marks);
    expect(written).toHaveLength(marks);
  });
});

test.each<[string, (string | null)[], boolean]>([
  ["its session at the provider", [null, "6000", null], true],
  ["its session at the provider, before it was started", [null, "5000", null], false],
  ["itself", ["6000", null, null], false],
  ["its user", [null, null, "6000"], false],
])("a session is ended by the provider if a mark is on %s: %j, %s", (_, marks, ended) => {
  const withSid = headerOf(session);
  expect(isEndedAtProvider(marksOn(withSid, marks), withSid)).toBe(ended);
  const { sidTag: _sid, ...without } = withSid;
  expect(isEndedAtProvider(marksOn(without, marks), without)).toBe(false);
});

test("the key of a mark names its session, if it has one", () => {
  const [own = "", ...others] = markKeys(namesOf(session));
  expect(markedSession(own)).toBe("session-1");
  expect(others.map(markedSession)).toEqual(["", ""]);
});
