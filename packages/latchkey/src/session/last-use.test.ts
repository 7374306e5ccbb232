import { describe, expect, test } from "vitest";

import { jarAfter, namesIn } from "../../test/browser/cookie-jar.ts";
import {
  type SessionParts,
  type SessionPartsOptions,
  sessionParts,
  signedInAt,
  signedInParts,
  stateful,
} from "../../test/sessions/session-parts.ts";
import { deriveKeyRing } from "../crypto/key-ring.ts";
import { createLastUseCookie } from "./last-use.ts";
import { isSealedLately, latestTimes } from "./lifetime.ts";
import { activeSession, readAgain } from "./read-session.ts";
import type { StoredSession } from "./session.ts";

const name = "appSession.t";
const day = 86_400;
const kinds = Object.entries<SessionPartsOptions>({
  "in the cookie": {},
  "in the store": stateful,
});

/** A browser that used its session once, so many seconds after the sign-in. */
async function usedAfter(seconds: number, options: SessionPartsOptions = {}) {
  const parts = await signedInParts(options);
  parts.advance(seconds);
  const stored = activeSession(await parts.read(parts.jar));
  if (stored === null) throw new Error("no session");
  const { setCookies } = parts.sessions.renew(stored, parts.jar);
  return { ...parts, setCookies, before: parts.jar, jar: jarAfter(setCookies, parts.jar) };
}

/** The `uat` of an active session, in seconds since the sign-in; otherwise its state. */
async function lastUseOf({ read }: Pick<SessionParts, "read">, jar: Record<string, string>) {
  const result = await read(jar);
  return result.state === "active" ? result.stored.header.uat - signedInAt : result.state;
}

describe("a use within an hour", () => {
  test.each(kinds)("of a session %s writes the small cookie alone", async (_, kind) => {
    const { setCookies, store, ...browser } = await usedAfter(3599, kind);
    const records = store.list("session|");
    expect(namesIn(setCookies)).toEqual({ set: [name], cleared: [] });
    expect(setCookies.join("").length).toBeLessThan(200);
    expect(await lastUseOf(browser, browser.jar)).toBe(3599);
    expect(store.list("session|")).toEqual(records);
  });

  test.each(kinds)("of a session %s moves its idle end to the second", async (_, kind) => {
    const { advance, ...browser } = await usedAfter(3599, kind);
    advance(day - 1);
    expect(await lastUseOf(browser, browser.jar)).toBe(3599);
    advance(1);
    expect(await browser.read(browser.jar)).toMatchObject({ state: "ended", reason: "idle" });
  });

  test("has the attributes and the end of the session", async () => {
    const { setCookies } = await usedAfter(60);
    const end = new Date((signedInAt + 60 + day) * 1000).toUTCString();
    expect(setCookies[0]).toMatch(
      new RegExp(
        `^appSession\\.t=\\d+\\.\\d+\\.[\\w-]{22}; Path=/; Expires=${end}; HttpOnly; Secure; SameSite=Lax$`,
      ),
    );
  });

  test("ends with the browser on a shared computer", async () => {
    const parts = sessionParts();
    const jar = await parts.jarOf(undefined, { shared: true });
    parts.advance(80);
    const stored = activeSession(await parts.read(jar));
    const { setCookies } = parts.sessions.renew(stored as NonNullable<typeof stored>, jar);
    expect(namesIn(setCookies).set).toEqual([name]);
    expect(setCookies.join("")).not.toContain("Expires");
  });
});

test.each(kinds)("a use after an hour seals a session %s again", async (_, kind) => {
  const { setCookies, jar, ...browser } = await usedAfter(3600, kind);
  expect(namesIn(setCookies).set).toEqual(["appSession"]);
  expect(await lastUseOf(browser, jar)).toBe(3600);
});

test("the browser keeps the session cookie for the uses that only the small one knows", async () => {
  const { setCookies } = await sessionParts().signIn();
  expect(setCookies[0]).toContain(new Date((signedInAt + day + 3600) * 1000).toUTCString());
});

describe("a small cookie counts for nothing", () => {
  test.each<[string, (value: string) => string]>([
    ["absent", () => ""],
    ["forged", (value) => `${value.slice(0, -1)}${value.endsWith("A") ? "B" : "A"}`],
    ["with another time", (value) => value.replace(`${signedInAt + 600}`, `${signedInAt + 601}`)],
    ["with another end", (value) => value.replace(/\.\d+\./, `.${signedInAt + 999_999}.`)],
    ["of another form", () => "1800000600.x"],
  ])("if it is %s", async (_, change) => {
    const { jar, ...browser } = await usedAfter(600);
    const changed = { ...jar, [name]: change(jar[name] ?? "") };
    expect(await lastUseOf(browser, jar)).toBe(600);
    expect(await lastUseOf(browser, changed)).toBe(0);
  });

  test("if it belongs to another session of the same user", async () => {
    const parts = sessionParts();
    const [one, other] = [await parts.signIn(), await parts.signIn()];
    parts.advance(600);
    const its = jarAfter(one.setCookies);
    const used = activeSession(await parts.read(its)) ?? one.stored;
    const { setCookies } = parts.sessions.renew(used, its);
    expect(namesIn(setCookies).set).toEqual([name]);
    expect(await lastUseOf(parts, jarAfter(setCookies, its))).toBe(600);
    expect(await lastUseOf(parts, jarAfter(setCookies, jarAfter(other.setCookies)))).toBe(0);
  });

  test("if no key of ours signed it; one of a former secret counts", () => {
    const used = { ...stored, header: { ...stored.header, uat: stored.header.uat + 60 } };
    const jar = jarAfter([lastUse("old").write(used.header)]);
    const now = used.header.uat;
    expect(lastUse("new", "old").apply(stored, jar, now).header).toEqual(used.header);
    expect(lastUse("new").apply(stored, jar, now)).toBe(stored);
  });

  test.each([
    [-1, false],
    [0, false],
    [1, true],
  ])("unless it is newer than the session: %i s", (seconds, counts) => {
    const uat = stored.header.uat + seconds;
    const jar = jarAfter([lastUse("old").write({ ...stored.header, uat })]);
    const found = lastUse("old").apply(stored, jar, signedInAt + 600);
    expect(found === stored).toBe(!counts);
    expect(found.header.uat).toBe(stored.header.uat + Math.max(seconds, 0));
  });

  test.each([
    [60, true],
    [61, false],
  ])("if it is further in the future than clocks may differ: %i s", (seconds, counts) => {
    const uat = signedInAt + 600 + seconds;
    const jar = jarAfter([lastUse("old").write({ ...stored.header, uat })]);
    expect(lastUse("old").apply(stored, jar, signedInAt + 600) === stored).toBe(!counts);
  });
});

const stored: StoredSession = {
  header: {
    uat: signedInAt,
    iat: signedInAt,
    exp: signedInAt + day,
    id: "s",
    subTag: "t",
    issuer: "https://op.example",
    client: "client",
  },
  data: { user: { sub: "ada" } },
  record: null,
};

/** The small cookie of an instance with these secrets. */
function lastUse(...secrets: string[]) {
  const keys = deriveKeyRing(secrets, "last-use");
  const cookie = { path: "/", secure: true, sameSite: "lax" } as const;
  const session = { name: "appSession", cookie, transient: false };
  return createLastUseCookie({ keys: () => keys, session, clockTolerance: 60 });
}

describe("a small cookie extends nothing that has ended", () => {
  test("a mark ends the session, however late it was used", async () => {
    const { ended, stored: signedIn, jar, ...browser } = await usedAfter(600);
    await ended?.endSession(signedIn.header.id);
    expect(await lastUseOf(browser, jar)).toBe("ended");
  });

  test("the absolute end stays", async () => {
    const settings = { session: { rollingDuration: 3600, absoluteDuration: 4000 } };
    const { jar, advance, ...browser } = await usedAfter(300, { settings });
    const later = await browser.read(jar);
    expect(later).toMatchObject({ stored: { header: { exp: signedInAt + 3900 } } });
    advance(3600 - 1);
    expect(await lastUseOf(browser, jar)).toBe(300);
    advance(1);
    expect(await lastUseOf(browser, jar)).toBe("ended");
  });

  test("longer durations of later settings do not reach beyond the end written", async () => {
    const settings = { session: { rollingDuration: 3600 } };
    const { jar, store } = await usedAfter(300, { settings });
    const longer = sessionParts({ store });
    longer.advance(3899);
    expect(await lastUseOf(longer, jar)).toBe(300);
    longer.advance(1);
    expect(await lastUseOf(longer, jar)).toBe("ended");
  });
});

test.each(kinds)("an update of a session %s counts from its own time", async (_, kind) => {
  const { advance, jar, ...browser } = await usedAfter(600, kind);
  advance(60);
  const used = activeSession(await browser.read(jar));
  const change = () => Promise.resolve({ user: { sub: "ada" }, theme: "dark" });
  const changed = await browser.sessions.update(used ?? stored, change, jar);
  expect(await lastUseOf(browser, jarAfter(changed?.setCookies ?? [], jar))).toBe(660);
});

test("a change that keeps a record as it is keeps the newer time", async () => {
  const { jar, ...browser } = await usedAfter(600, stateful);
  const used = activeSession(await browser.read(jar)) ?? stored;
  const kept = await browser.sessions.update(used, (data) => Promise.resolve(data), jar);
  expect(kept?.setCookies).toBeNull();
  expect(kept?.stored.header.uat).toBe(signedInAt + 600);
  const again = await readAgain(browser.reader, { ...used }, signedInAt + 600);
  expect(activeSession(again)?.header.uat).toBe(signedInAt + 600);
});

test.each(kinds)("a reader without the small cookie sees a session %s earlier", async (_, kind) => {
  const { before, advance, ...browser } = await usedAfter(3599, kind);
  expect(await lastUseOf(browser, before)).toBe(0);
  advance(day - 3600);
  expect(await lastUseOf(browser, before)).toBe(0);
  advance(1);
  expect(await lastUseOf(browser, before)).toBe("ended");
});

test("clearing the session clears the small cookie, too", async () => {
  const { sessions, jar, before } = await usedAfter(60);
  expect(namesIn(sessions.clear(jar)).cleared).toEqual(["appSession", name]);
  expect(namesIn(sessions.clear(before)).cleared).toEqual(["appSession"]);
});

test.each([
  ["a day", { rolling: day, absolute: null }, false, 3600],
  ["an hour", { rolling: 3600, absolute: null }, false, 360],
  ["a day on a shared computer", { rolling: day, absolute: null }, true, 90],
])("a session of %s is sealed again after a tenth of it, at most an hour", (...row) => {
  const [, lifetime, isShared, seconds] = row;
  const times = { uat: 1000, ...(isShared ? { shared: true as const } : {}) };
  expect(isSealedLately(times, lifetime, 1000 + seconds - 1)).toBe(true);
  expect(isSealedLately(times, lifetime, 1000 + seconds)).toBe(false);
});

test("the latest times of a session do not pass its absolute end", () => {
  const times = { uat: 1000, iat: 1000, exp: 1000 + day };
  expect(latestTimes(times, { rolling: day, absolute: day + 60 }).exp).toBe(1000 + day + 60);
  expect(latestTimes(times, { rolling: null, absolute: day })).toEqual(times);
});
