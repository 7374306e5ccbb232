import { describe, expect, test } from "vitest";
import { primarySite, transactionKeys } from "../../test/sealing.ts";

import { jarAfter } from "../../test/browser/cookie-jar.ts";
import { configOf } from "../../test/settings.ts";
import type { Settings } from "../config/settings.ts";
import { sealText } from "../crypto/jwe.ts";
import { deriveKeyRing } from "../crypto/key-ring.ts";
import { createLoopCounter } from "./loop-counter.ts";

const overHTTP = { baseURL: "http://localhost:3000" };

function world(settings: Partial<Settings> = {}) {
  const config = configOf(settings);
  let now = 1_700_000_000_000;
  const keys = deriveKeyRing(config.secrets, "transaction");
  const counter = createLoopCounter({
    config,
    site: primarySite,
    keys: transactionKeys(config.secrets),
    clock: () => now,
  });
  return { counter, keys, now, wait: (seconds: number) => void (now += seconds * 1000) };
}

const home = "http://localhost:3000/";
const reports = "http://localhost:3000/reports";
const to = (returnTo: string | null, connection = "default") => ({ connection, returnTo });
const lost = { cameBack: false, connection: "default", returnTo: home };

describe("counting", () => {
  test("each finished sign-in without a session in between counts one more", () => {
    const { counter } = world();
    let jar: Record<string, string> = {};
    expect(counter.count(jar, to(home))).toEqual({ lost: 0, toSameAddress: 0 });
    for (const expected of [1, 2, 3]) {
      jar = jarAfter([counter.recordSignIn(jar, lost)], jar);
      expect(counter.count(jar, to(home))).toEqual({ lost: expected, toSameAddress: expected });
    }
  });

  test("a sign-in after which the session came back is the first of the lost ones again", () => {
    const { counter } = world();
    const jar = jarAfter([counter.recordSignIn({}, lost)]);
    const next = jarAfter([counter.recordSignIn(jar, { ...lost, cameBack: true })]);
    expect(counter.count(next, to(home))).toEqual({ lost: 1, toSameAddress: 2 });
  });

  test("sign-ins to another address are counted by themselves, and those to none not at all", () => {
    const { counter } = world();
    const jar = jarAfter([counter.recordSignIn({}, lost)]);
    for (const returnTo of [reports, null])
      expect(counter.count(jar, to(returnTo))).toEqual({ lost: 1, toSameAddress: 0 });
    const next = jarAfter([counter.recordSignIn(jar, { ...lost, returnTo: reports })]);
    expect(counter.count(next, to(reports))).toEqual({ lost: 2, toSameAddress: 1 });
    expect(counter.count(next, to(home))).toEqual({ lost: 2, toSameAddress: 0 });
  });

  test("sign-ins at another connection are counted by themselves [MX-037]", () => {
    const { counter } = world();
    const atAcme = { ...lost, connection: "acme" };
    const jar = jarAfter([counter.recordSignIn({}, atAcme)]);
    expect(counter.count(jar, to(home, "acme"))).toEqual({ lost: 1, toSameAddress: 1 });
    expect(counter.count(jar, to(home))).toEqual({ lost: 0, toSameAddress: 0 });
    const next = jarAfter([counter.recordSignIn(jar, lost)]);
    expect(counter.count(next, to(home))).toEqual({ lost: 1, toSameAddress: 1 });
  });

  test("a count is forgotten after a minute, whatever the browser keeps", () => {
    const { counter, wait } = world();
    const jar = jarAfter([counter.recordSignIn({}, lost)]);
    wait(59);
    expect(counter.count(jar, to(home))).toEqual({ lost: 1, toSameAddress: 1 });
    wait(1);
    expect(counter.count(jar, to(home))).toEqual({ lost: 0, toSameAddress: 0 });
  });
});

describe("a planted cookie", () => {
  const nothing = { lost: 0, toSameAddress: 0 };

  test.each(["9", "x", "-1", "1e9", "a.b.c.d.e", ""])("the value %j counts nothing", (value) => {
    const { counter } = world();
    expect(counter.count({ "__Host-auth_loop": value }, to(home))).toEqual(nothing);
    expect(counter.count({ auth_loop: value }, to(home))).toEqual(nothing);
  });

  test("a counter sealed with another secret does not count", () => {
    const other = world({ secret: "another-secret-0123456789abcdef-0123" });
    const jar = jarAfter([other.counter.recordSignIn({}, lost)]);
    expect(world().counter.count(jar, to(home))).toEqual(nothing);
  });

  test.each(["", "x y", "5", "NaN NaN", "5 x"])(
    "a sealed text of another form counts nothing: %j",
    (text) => {
      const { counter, keys } = world();
      const jar = { "__Host-auth_loop": sealText(keys, {}, text) };
      expect(counter.count(jar, to(home))).toEqual(nothing);
    },
  );
});

describe("the cookie", () => {
  test("over https it has the prefix against planted cookies [RFC 6265bis, section 4.1.3.2]", () => {
    const { counter } = world();
    expect(counter.recordSignIn({}, lost)).toMatch(
      /^__Host-auth_loop=[\w.-]+; Path=\/; Expires=Tue, 14 Nov 2023 22:14:20 GMT; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test("a reset clears an existing counter, with its own attributes", () => {
    const { counter } = world();
    expect(counter.reset({ "__Host-auth_loop": "x" })).toEqual([
      "__Host-auth_loop=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
    ]);
    expect(counter.reset({ auth_loop: "x" })).toEqual([]);
  });
});

test.each<[string, Partial<Settings>, string]>([
  ["of an app at the root over https", {}, "__Host-auth_loop"],
  ["beside __Host- names", { transactionCookie: { name: "__Host-login" } }, "__Host-auth_loop"],
  ["over http", overHTTP, "auth_loop"],
  ["for a domain", { transactionCookie: { domain: "app.example" } }, "auth_loop"],
  [
    "of an app below a path",
    { session: { cookie: { path: "/shop" } }, baseURL: "https://app.example/shop" },
    "auth_loop",
  ],
  ["over http, below a path", { ...overHTTP, session: { cookie: { path: "/shop" } } }, "auth_loop"],
])("the cookie %s has the prefix against planted cookies, if allowed", (_, its, name) => {
  const [written = ""] = world(its).counter.recordSignIn({}, lost).split("=", 1);
  expect(written).toBe(name);
});
