import * as fc from "fast-check";
import { expect, test } from "vitest";

import { readConfig } from "../../src/config/config.ts";
import { cookieStorage } from "../../src/session/cookie-storage.ts";
import type { StoredSession } from "../../src/session/session.ts";
import { createSessionCookie } from "../../src/session/session-cookie.ts";
import type { SessionStorage } from "../../src/session/storage.ts";
import { jarAfter } from "../cookie-jar.ts";
import { sessionSeal } from "../session-seal.ts";
import { goodSettings } from "../settings.ts";
import { patience, runs } from "./runs.ts";

const secrets = ["first-secret-0123456789", "second-secret-0123456789", "third-secret-0123456789"];
const party = { issuer: "https://op.example", client: "client" };
const header = { uat: 2000, iat: 1000, exp: 90_000, id: "id", started: 5, ...party };

function storageWith(list: readonly string[]): SessionStorage {
  const config = readConfig(goodSettings, { hasStore: false });
  const cookie = createSessionCookie(config);
  return cookieStorage({ name: config.session.name, cookie, seal: sessionSeal(list, party) });
}

test(
  "what is sealed is opened again: any claims, any size, any place in the list of secrets [REL-P03]",
  { timeout: patience },
  async () => {
    const claims = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 3,
    });
    const size = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 200 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 40_000 }) },
    );
    let inChunks = 0;
    await fc.assert(
      fc.asyncProperty(claims, size, fc.constantFrom(...secrets), async (user, length, secret) => {
        const session = {
          header,
          data: { user: { ...user, sub: "ada" }, padding: "p".repeat(length) },
        };
        const jar = jarAfter(await storageWith([secret]).create(session, {}));
        if (!("appSession" in jar)) inChunks += 1;
        const found = await storageWith(secrets).load(jar);
        return JSON.stringify(dataOf(found)) === JSON.stringify(session.data);
      }),
      runs,
    );
    expect(inChunks).toBeGreaterThan(500);
  },
);

function dataOf(found: Awaited<ReturnType<SessionStorage["load"]>>): StoredSession["data"] | null {
  return typeof found === "object" && found !== null ? found.data : null;
}

type Cookies = Readonly<Record<string, string>>;
type Change = (cookies: Cookies) => Cookies;

const place = fc.nat(100_000);

/** One cookie of the set, changed. */
function changingOne(at: number, change: (value: string) => string): Change {
  return (cookies) => {
    const names = Object.keys(cookies);
    const name = names[at % names.length] ?? "";
    return { ...cookies, [name]: change(cookies[name] ?? "") };
  };
}

function withLetter(value: string, at: number, change: (code: number) => number): string {
  const index = at % value.length;
  const letter = String.fromCharCode(change(value.charCodeAt(index)));
  return value.slice(0, index) + letter + value.slice(index + 1);
}

function swapped(value: string, one: number, other: number): string {
  const letters = value.split("");
  const [a, b] = [one % value.length, other % value.length];
  [letters[a], letters[b]] = [letters[b] ?? "", letters[a] ?? ""];
  return letters.join("");
}

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc
    .tuple(place, place, fc.nat(7))
    .map(([at, letter, bit]) =>
      changingOne(at, (value) => withLetter(value, letter, (code) => code ^ (1 << bit))),
    ),
  fc
    .tuple(place, place, place)
    .map(([at, one, other]) => changingOne(at, (value) => swapped(value, one, other))),
  fc
    .tuple(place, place)
    .map(([at, length]) => changingOne(at, (value) => value.slice(0, length % value.length))),
  fc
    .tuple(place, fc.string({ minLength: 1, maxLength: 9 }))
    .map(([at, more]) => changingOne(at, (value) => value + more)),
  fc.tuple(place, place, fc.string({ minLength: 1, maxLength: 3 })).map(([at, index, more]) =>
    changingOne(at, (value) => {
      const cut = index % value.length;
      return value.slice(0, cut) + more + value.slice(cut);
    }),
  ),
  fc.tuple(place, place).map(([one, other]) => exchanging(one, other)),
  place.map((at) => dropping(at)),
  fc.tuple(place, fc.string({ minLength: 1 })).map(([at, value]) => adding(at, value)),
);

function exchanging(one: number, other: number): Change {
  return (cookies) => {
    const names = Object.keys(cookies);
    const a = names[one % names.length] ?? "";
    const b = names[other % names.length] ?? "";
    return { ...cookies, [a]: cookies[b] ?? "", [b]: cookies[a] ?? "" };
  };
}

function dropping(at: number): Change {
  return (cookies) => {
    const names = Object.keys(cookies);
    return Object.fromEntries(
      Object.entries(cookies).filter(([name]) => name !== names[at % names.length]),
    );
  };
}

/** A further chunk, behind the last one. A single cookie becomes two. */
function adding(at: number, value: string): Change {
  return (cookies) => {
    const { appSession, ...chunks } = cookies;
    const count = Object.keys(chunks).length;
    return appSession === undefined
      ? { ...cookies, [`appSession.${count}`]: value }
      : { "appSession.0": appSession.slice(0, at % appSession.length), "appSession.1": value };
  };
}

test(
  "whatever is changed in a set of cookies, it is a session no more [REL-P02, ATK-108]",
  { timeout: patience },
  async () => {
    const storage = storageWith(secrets);
    const session = (length: number): StoredSession => ({
      header,
      data: { user: { sub: "ada" }, padding: "p".repeat(length) },
    });
    const sets = await Promise.all(
      [0, 3000, 9000].map(async (length) => jarAfter(await storage.create(session(length), {}))),
    );
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sets), changes, async (cookies, change) => {
        const after = change(cookies);
        if (JSON.stringify(after) === JSON.stringify(cookies)) return true;
        changed += 1;
        return dataOf(await storage.load(after)) === null;
      }),
      { ...runs, numRuns: 12_000 },
    );
    expect(changed).toBeGreaterThan(10_000);
  },
);
