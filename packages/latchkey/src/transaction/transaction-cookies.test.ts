import { describe, expect, test } from "vitest";

import { jarAfter, namesIn } from "../../test/cookie-jar.ts";
import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import type { Settings } from "../config/settings.ts";
import { deriveKeyRing, sealText } from "../crypto/key-ring.ts";
import type { Transaction } from "./transaction.ts";
import { createTransactionCookies } from "./transaction-cookies.ts";

const hourMs = 3_600_000;

function world(settings: Partial<Settings> = {}) {
  const config = readConfig({ ...goodSettings, ...settings }, { hasStore: false });
  let now = 1_700_000_000_000;
  const transactions = createTransactionCookies({
    config,
    keys: () => deriveKeyRing(config.secrets, "transaction"),
    clock: () => now,
  });
  const jar: { cookies: Record<string, string> } = { cookies: {} };
  return {
    transactions,
    jar,
    wait: (ms: number) => void (now += ms),
    /** A login in this browser, with a state that begins with its name. */
    async login(name: string): Promise<readonly string[]> {
      const transaction = pendingLogin(name, now);
      const setCookies = await transactions.add(transaction, jar.cookies);
      jar.cookies = jarAfter(setCookies, jar.cookies);
      now += 1000;
      return setCookies;
    },
    async states(): Promise<readonly string[]> {
      const pending = await transactions.read(jar.cookies);
      return pending
        .map(({ transaction }) =>
          typeof transaction === "string" ? transaction : (transaction?.state ?? "unreadable"),
        )
        .toSorted();
    },
  };
}

function pendingLogin(name: string, started: number): Transaction {
  return { state: name.padEnd(43, "-"), nonce: "n", returnTo: "https://app.example/", started };
}

const stateOf = (name: string) => name.padEnd(43, "-");

describe("one pending login", () => {
  test("is kept in auth_verification, for an hour, for GET navigations from the provider", async () => {
    const { login } = world();
    const [line = "", ...more] = await login("one");
    expect(more).toEqual([]);
    expect(line).toMatch(
      /^auth_verification=[\w.-]+; Path=\/; Expires=Tue, 14 Nov 2023 23:13:20 GMT; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test("is encrypted: neither verifier nor nonce nor destination can be read from it", async () => {
    const { transactions } = world();
    const transaction = { ...pendingLogin("one", 0), codeVerifier: "the-verifier-of-this-login" };
    const [line = ""] = await transactions.add(transaction, {});
    const plain = line.split(/[=.;]/).map((part) => Buffer.from(part, "base64url").toString());
    expect(plain.join()).not.toContain("the-verifier");
    expect(plain.join()).not.toContain("app.example");
  });

  test("goes with a POST from the provider's site where the response comes by form_post [STD-144]", async () => {
    const { login } = world({ baseURL: "http://localhost:3000", responseType: "code id_token" });
    expect((await login("one"))[0]).toMatch(/; HttpOnly; Secure; SameSite=None$/);
  });

  test("is found again", async () => {
    const { login, states } = world();
    await login("one");
    expect(await states()).toEqual([stateOf("one")]);
  });

  test("is over after one hour, whatever the browser says", async () => {
    const { login, states, wait } = world();
    await login("one");
    wait(hourMs - 1001);
    expect(await states()).toEqual([stateOf("one")]);
    wait(1);
    expect(await states()).toEqual(["expired"]);
  });

  test("takes its cookie away with the attributes it was set with", async () => {
    const { login, transactions, jar } = world();
    await login("one");
    const [pending] = await transactions.read(jar.cookies);
    expect(pending && transactions.remove(pending)).toBe(
      "auth_verification=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
    );
  });
});

describe("several tabs", () => {
  test("a further login while one is pending has a cookie with the tag of its state", async () => {
    const { login, jar } = world();
    await login("one");
    await login("two-tab-2");
    expect(Object.keys(jar.cookies)).toEqual(["auth_verification", "auth_verification.two-tab-"]);
  });

  test("the plain name is taken again once it is free", async () => {
    const { login, jar, transactions } = world();
    await login("one");
    const [first] = await transactions.read(jar.cookies);
    jar.cookies = jarAfter(first ? [transactions.remove(first)] : [], jar.cookies);
    await login("two");
    expect(Object.keys(jar.cookies)).toEqual(["auth_verification"]);
  });

  test("five can be pending; of twenty, the newest five stay [REL-C03, ATK-010]", async () => {
    const { login, states, jar } = world();
    const names = Array.from({ length: 20 }, (_, index) => `tab-${index}-x`);
    for (const [index, name] of names.entries()) {
      await login(name);
      expect(await states()).toHaveLength(Math.min(index + 1, 5));
    }
    expect(await states()).toEqual(names.slice(-5).map(stateOf).toSorted());
    const bytes = Object.entries(jar.cookies).join().length;
    expect(bytes).toBeLessThan(8 * 1024);
  });

  test("a new login takes those away that are over", async () => {
    const { login, states, wait } = world();
    await login("one");
    await login("two");
    wait(hourMs);
    const setCookies = await login("three");
    expect(namesIn(setCookies)).toEqual({
      set: ["auth_verification"],
      cleared: ["auth_verification.two-----"],
    });
    expect(await states()).toEqual([stateOf("three")]);
  });

  test("a new login takes the plain name of one that cannot be read, and clears the other such", async () => {
    const { login, jar, states } = world();
    jar.cookies = { auth_verification: "garbage", "auth_verification.abcdefgh": "garbage" };
    await login("one");
    expect(await states()).toEqual([stateOf("one")]);
    expect(Object.keys(jar.cookies)).toEqual(["auth_verification"]);
  });

  test("one that cannot be read touches no other", async () => {
    const { login, jar, states } = world();
    await login("one");
    await login("two");
    jar.cookies["auth_verification"] = "garbage";
    expect(await states()).toEqual([stateOf("two"), "unreadable"]);
  });
});

describe("what is no pending login", () => {
  test.each([
    "auth_verification.short",
    "auth_verification.ninechars",
    "auth_verification.a.b.c.d.",
    "auth_verificationx",
    "_auth_verification",
    "appSession",
  ])("the cookie %s is not looked at", async (name) => {
    const { transactions } = world();
    expect(await transactions.read({ [name]: "x" })).toEqual([]);
  });

  test("a session put in its place cannot be read [ATK-020]", async () => {
    const { transactions } = world();
    const ring = deriveKeyRing([goodSettings.secret], "session");
    const value = sealText(ring, {}, JSON.stringify(pendingLogin("one", 0)));
    expect(await transactions.read({ auth_verification: value })).toEqual([
      { cookieName: "auth_verification", transaction: null },
    ]);
  });
});

test("another name can be given", async () => {
  const { login } = world({
    transactionCookie: { name: "pending", path: "/auth", sameSite: "strict" },
  });
  expect((await login("one"))[0]).toMatch(/^pending=.*; Path=\/auth; .*; SameSite=Strict$/);
});
