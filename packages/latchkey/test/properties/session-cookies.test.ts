import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { Context } from "../../src/context.ts";
import { createContext } from "../../src/host/create-context.ts";
import { readSession } from "../../src/session/read-session.ts";
import type { SessionData } from "../../src/session/session.ts";
import { type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { configOf } from "../settings.ts";
import { patience, runs } from "./runs.ts";

const secrets = ["first-secret-0123456789", "second-secret-0123456789", "third-secret-0123456789"];
const now = 1_800_000_000;
const facts = { sub: "ada", sid: undefined, started: now * 1000 };

function contextWith(secret: readonly string[]): Context {
  const config = configOf({ secret });
  return createContext(config, { store: null, log: () => undefined, clock: () => now * 1000 });
}

async function signedInCookies(context: Context, data: SessionData): Promise<Jar> {
  return jarAfter(
    (await context.sessions.create(data, { connection: context.connections.default, ...facts }, {}))
      .setCookies,
  );
}

async function dataIn({ reader }: Context, cookies: Jar): Promise<SessionData | null> {
  const result = await readSession(reader, cookies, now);
  return result.state === "active" ? result.stored.data : null;
}

test(
  "a session is read as it was written: any claims, any size, any place of its secret in the list [REL-P03]",
  { timeout: patience },
  async () => {
    const claims = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
    const size = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 200 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 40_000 }) },
    );
    const reading = contextWith(secrets);
    const writing = new Map(secrets.map((secret) => [secret, contextWith([secret])]));
    let inChunks = 0;
    await fc.assert(
      fc.asyncProperty(claims, size, fc.constantFrom(...secrets), async (user, length, secret) => {
        const data = { user: { ...user, sub: "ada" }, padding: "p".repeat(length) };
        const jar = await signedInCookies(writing.get(secret) ?? reading, data);
        if (!("appSession" in jar)) inChunks += 1;
        return JSON.stringify(await dataIn(reading, jar)) === JSON.stringify(data);
      }),
      runs,
    );
    expect(inChunks).toBeGreaterThan(runs.numRuns / 20);
  },
);

type Change = (cookies: Jar) => Jar;

const place = fc.nat(100_000);

/** One cookie of the set, changed. */
function changingOne(at: number, change: (value: string) => string): Change {
  return (cookies) => {
    const names = Object.keys(cookies);
    const name = names[at % names.length] ?? "";
    return { ...cookies, [name]: change(cookies[name] ?? "") };
  };
}

function withCharacter(value: string, at: number, change: (code: number) => number): string {
  const index = at % value.length;
  const character = String.fromCharCode(change(value.charCodeAt(index)));
  return value.slice(0, index) + character + value.slice(index + 1);
}

function swapped(value: string, one: number, other: number): string {
  const characters = value.split("");
  const [a, b] = [one % value.length, other % value.length];
  [characters[a], characters[b]] = [characters[b] ?? "", characters[a] ?? ""];
  return characters.join("");
}

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc
    .tuple(place, place, fc.nat(7))
    .map(([at, character, bit]) =>
      changingOne(at, (value) => withCharacter(value, character, (code) => code ^ (1 << bit))),
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
  "a set of session cookies in which anything was changed is no session [REL-P02, ATK-108]",
  { timeout: patience },
  async () => {
    const context = contextWith(secrets);
    const dataOf = (length: number) => ({ user: { sub: "ada" }, padding: "p".repeat(length) });
    const sets = await Promise.all(
      [0, 3000, 9000].map((length) => signedInCookies(context, dataOf(length))),
    );
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sets), changes, async (cookies, change) => {
        const after = change(cookies);
        if (JSON.stringify(after) === JSON.stringify(cookies)) return true;
        changed += 1;
        return (await dataIn(context, after)) === null;
      }),
      runs,
    );
    expect(changed).toBeGreaterThan(runs.numRuns / 2);
  },
);
