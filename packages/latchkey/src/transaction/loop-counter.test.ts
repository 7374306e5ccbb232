import { describe, expect, test } from "vitest";

import { jarAfter } from "../../test/cookie-jar.ts";
import { configOf } from "../../test/settings.ts";
import type { Settings } from "../config/settings.ts";
import { deriveKeyRing, sealText } from "../crypto/key-ring.ts";
import { createLoopCounter } from "./loop-counter.ts";

const overHTTP = { baseURL: "http://localhost:3000" };

function world(settings: Partial<Settings> = {}) {
  const config = configOf(settings);
  let now = 1_700_000_000_000;
  const keys = deriveKeyRing(config.secrets, "transaction");
  const counter = createLoopCounter({ config, keys: () => keys, clock: () => now });
  return { counter, keys, now, wait: (seconds: number) => void (now += seconds * 1000) };
}

describe("counting", () => {
  test("each finished sign-in without a session in between counts one more", () => {
    const { counter } = world();
    let jar: Record<string, string> = {};
    expect(counter.count(jar)).toEqual({ lost: 0, all: 0 });
    for (const expected of [1, 2, 3]) {
      jar = jarAfter([counter.recordSignIn(jar, false)], jar);
      expect(counter.count(jar)).toEqual({ lost: expected, all: expected });
    }
  });

  test("a sign-in after which the session came back is the first of the lost ones again", () => {
    const { counter } = world();
    const jar = jarAfter([counter.recordSignIn({}, false)]);
    expect(counter.count(jarAfter([counter.recordSignIn(jar, true)]))).toEqual({ lost: 1, all: 2 });
  });

  test("a count is forgotten after a minute, whatever the browser keeps", () => {
    const { counter, wait } = world();
    const jar = jarAfter([counter.recordSignIn({}, false)]);
    wait(59);
    expect(counter.count(jar)).toEqual({ lost: 1, all: 1 });
    wait(1);
    expect(counter.count(jar)).toEqual({ lost: 0, all: 0 });
  });
});

describe("a cookie that somebody else planted", () => {
  test.each(["9", "x", "-1", "1e9", "a.b.c.d.e", ""])("the value %j counts nothing", (value) => {
    const { counter } = world();
    expect(counter.count({ "__Host-auth_loop": value }).all).toBe(0);
    expect(counter.count({ auth_loop: value }).all).toBe(0);
  });

  test("a counter that another secret sealed counts nothing", () => {
    const other = world({ secret: "another-secret-0123456789abcdef-0123" });
    const jar = jarAfter([other.counter.recordSignIn({}, false)]);
    expect(world().counter.count(jar).all).toBe(0);
  });

  test.each(["", "x y", "5", "NaN NaN", "5 x"])(
    "a sealed text of another form counts nothing: %j",
    (text) => {
      const { counter, keys } = world();
      expect(counter.count({ "__Host-auth_loop": sealText(keys, {}, text) }).all).toBe(0);
    },
  );
});

describe("the cookie", () => {
  test("over https it has the prefix that no sister host can plant [RFC 6265bis, section 4.1.3.2]", () => {
    const { counter } = world();
    expect(counter.recordSignIn({}, false)).toMatch(
      /^__Host-auth_loop=[\w.-]+; Path=\/; Expires=Tue, 14 Nov 2023 22:14:20 GMT; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test("a reset clears it where it is there, with its own attributes", () => {
    const { counter } = world();
    expect(counter.reset({ "__Host-auth_loop": "x" })).toEqual([
      "__Host-auth_loop=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
    ]);
    expect(counter.reset({ auth_loop: "x" })).toEqual([]);
  });
});

test.each<[string, Partial<Settings>, string]>([
  ["of an app at the root over https", {}, "__Host-auth_loop"],
  ["over http", overHTTP, "auth_loop"],
  ["for a domain", { transactionCookie: { domain: "app.example" } }, "auth_loop"],
  [
    "of an app below a path",
    { session: { cookie: { path: "/shop" } }, baseURL: "https://app.example/shop" },
    "auth_loop",
  ],
  ["over http, below a path", { ...overHTTP, session: { cookie: { path: "/shop" } } }, "auth_loop"],
])(
  "the cookie %s has the prefix that keeps sister hosts out, where it may",
  (_, settings, name) => {
    const [written = ""] = world(settings).counter.recordSignIn({}, false).split("=", 1);
    expect(written).toBe(name);
  },
);
