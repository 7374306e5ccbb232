import { describe, expect, test } from "vitest";
import { primarySite, transactionKeys } from "../../test/sealing.ts";

import { jarAfter, namesIn } from "../../test/browser/cookie-jar.ts";
import { configOf, goodSettings } from "../../test/settings.ts";
import type { Settings } from "../config/settings.ts";
import type { Measurement, Observer } from "../telemetry/telemetry.ts";
import { sealText } from "../crypto/jwe.ts";
import { deriveKeyRing } from "../crypto/key-ring.ts";
import type { Transaction } from "./transaction.ts";
import { createTransactionCookies } from "./transaction-cookies.ts";

const hourMs = 3_600_000;
const start = 1_700_000_000_000;
const binding = "__Host-auth_verification_binding";
const overHTTP = { baseURL: "http://localhost:3000" };
const anotherSecret = { secret: "another-secret-0123456789abcdef-0123" };

function world(settings: Partial<Settings> = {}, measure?: Observer["measure"]) {
  const config = configOf(settings);
  let now = start;
  let random = 0;
  const transactions = createTransactionCookies({
    config,
    ...(measure && { measure }),
    site: primarySite,
    keys: transactionKeys(config.secrets),
    clock: () => now,
    randomText: () => `${(random += 1)}`.padStart(22, "r"),
  });
  const jar: { cookies: Record<string, string> } = { cookies: {} };
  return {
    transactions,
    jar,
    wait: (ms: number) => void (now += ms),
    /** Starts a login in this browser, with a state which begins with its name. */
    login(name: string): readonly string[] {
      const isPosted = config.responseMode === "form_post";
      const setCookies = transactions.add(transactionOf(name, now), jar.cookies, isPosted);
      jar.cookies = jarAfter(setCookies, jar.cookies);
      now += 1000;
      return setCookies;
    },
    /** The states of the browser's transactions, or why there is none. */
    states(cookies: Record<string, string> = jar.cookies): readonly string[] {
      return transactions
        .read(cookies)
        .map(({ transaction }) =>
          typeof transaction === "string" ? transaction : transaction.state,
        )
        .toSorted();
    },
    /** The names of the browser's transaction cookies, without the binding one. */
    names: () => Object.keys(jar.cookies).filter((name) => name !== binding),
  };
}

function transactionOf(name: string, started: number): Transaction {
  return { state: stateOf(name), nonce: "n", returnTo: "https://app.example/", started };
}

const stateOf = (name: string) => name.padEnd(43, "-");

describe("one transaction", () => {
  test("it is kept in auth_verification, for an hour, for GET navigations from the provider", () => {
    const [line = "", bound = "", ...more] = world().login("one");
    expect(more).toEqual([]);
    expect(line).toMatch(
      /^auth_verification=[\w.-]+; Path=\/; Expires=Tue, 14 Nov 2023 23:13:20 GMT; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(bound).toMatch(
      /^__Host-auth_verification_binding=[\w-]{22}; Path=\/; Expires=Tue, 14 Nov 2023 23:13:20 GMT; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test("telemetry gets its size, without the name and attributes of its cookie", () => {
    const told: Measurement[] = [];
    const [line = ""] = world({}, (measurement) => told.push(measurement)).login("a");
    const [value = ""] = line.slice("auth_verification=".length).split(";", 1);
    expect(told).toEqual([{ of: "cookie-size", cookie: "pending", bytes: value.length }]);
  });

  test("is encrypted, so state, nonce, verifier and return address are unreadable [STD-093, STD-062]", () => {
    const secrets = { codeVerifier: "the-verifier", nonce: "the-nonce" };
    const transaction = { ...transactionOf("the-state", 0), ...secrets };
    const [line = ""] = world().transactions.add(transaction, {});
    const plain = line.split(/[=.;]/).map((part) => Buffer.from(part, "base64url").toString());
    expect(plain.join()).not.toMatch(/the-(?:state|verifier|nonce)|app\.example/);
  });

  test("travels with its companion in a POST from the provider's site for form_post [STD-144]", () => {
    expect(world({ responseType: "code id_token" }).login("one")).toEqual([
      expect.stringMatching(/; HttpOnly; Secure; SameSite=None$/),
      expect.stringMatching(/^__Host-.*SameSite=None$/),
    ]);
  });

  test.each([{}, overHTTP])("it is found again: %j", (settings) => {
    const { login, states } = world(settings);
    login("one");
    expect(states()).toEqual([stateOf("one")]);
  });

  test("it is over after one hour, whatever the browser keeps", () => {
    const { login, states, wait } = world();
    login("one");
    wait(hourMs - 1001);
    expect(states()).toEqual([stateOf("one")]);
    wait(1);
    expect(states()).toEqual(["expired"]);
  });

  test("its cookie is removed with the attributes it was set with", () => {
    const { login, transactions, jar } = world();
    login("one");
    const [found] = transactions.read(jar.cookies);
    expect(found && transactions.remove(found)).toBe(
      "auth_verification=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
    );
  });
});

describe("a transaction planted by a sister host [RFC 6265bis, section 4.1.3.2]", () => {
  test("it is void in a browser without a companion", () => {
    const { login, states, jar } = world();
    login("attackers");
    const { [binding]: _companion, ...planted } = jar.cookies;
    expect(states(planted)).toEqual(["unbound"]);
  });

  test("it is void in a browser with a companion of its own", () => {
    const attacker = world();
    attacker.login("other");
    attacker.jar.cookies = {};
    attacker.login("attackers");
    const { login, states, jar } = world();
    login("own");
    const planted = attacker.jar.cookies["auth_verification"] ?? "";
    expect(jar.cookies[binding]).not.toBe(attacker.jar.cookies[binding]);
    expect(states({ ...jar.cookies, "auth_verification.attacker": planted })).toEqual([
      stateOf("own"),
      "unbound",
    ]);
  });

  test.each(["", "x", "r".repeat(21), "r".repeat(23), `${"r".repeat(21)}!`])(
    "a companion of another form binds nothing, and is replaced at the next login: %j",
    (value) => {
      const { login, states, jar } = world();
      jar.cookies = { [binding]: value };
      login("one");
      expect(jar.cookies[binding]).toMatch(/^[\w-]{22}$/);
      expect(states()).toEqual([stateOf("one")]);
      expect(states({ ...jar.cookies, [binding]: value })).toEqual(["unbound"]);
    },
  );

  test("a transaction without a companion is void over https, even in a browser without one", () => {
    const plain = world(overHTTP);
    plain.login("one");
    expect(world().states(plain.jar.cookies)).toEqual(["unbound"]);
  });

  test("it is cleared at the next login, whose own transaction counts", () => {
    const { login, states, jar } = world();
    login("attackers");
    const { [binding]: _companion, ...planted } = jar.cookies;
    jar.cookies = planted;
    login("own");
    expect(states()).toEqual([stateOf("own")]);
  });

  test.each<Partial<Settings>>([
    overHTTP,
    { transactionCookie: { domain: "app.example" } },
    { transactionCookie: { path: "/api" } },
  ])(
    "with %j, which excludes the prefix, there is no companion and transactions count alone",
    (its) => {
      const { login, states } = world(its);
      expect(login("one")).toHaveLength(1);
      expect(states()).toEqual([stateOf("one")]);
    },
  );
});

describe("several tabs", () => {
  test("a further login has a cookie with the tag of its state, and the same companion", () => {
    const { login, jar, names } = world();
    login("one");
    const { [binding]: companion } = jar.cookies;
    login("two-tab-2");
    expect(names()).toEqual(["auth_verification", "auth_verification.two-tab-"]);
    expect(jar.cookies[binding]).toBe(companion);
  });

  test("of twenty logins the newest five are kept [REL-C03, ATK-010]", () => {
    const { login, states, jar } = world();
    const names = Array.from({ length: 20 }, (_, index) => `tab-${index}-x`);
    for (const [index, name] of names.entries()) {
      login(name);
      expect(states()).toHaveLength(Math.min(index + 1, 5));
    }
    expect(states()).toEqual(names.slice(-5).map(stateOf).toSorted());
    const bytes = Object.entries(jar.cookies).join().length;
    expect(bytes).toBeLessThan(8 * 1024);
  });

  test("a new login clears finished transactions", () => {
    const { login, states, wait } = world();
    login("one");
    login("two");
    wait(hourMs);
    expect(namesIn(login("three"))).toEqual({
      set: ["auth_verification", binding],
      cleared: ["auth_verification.two-----"],
    });
    expect(states()).toEqual([stateOf("three")]);
  });

  test("a new login takes the plain name of an unreadable cookie, and clears the other such", () => {
    const { login, jar, states, names } = world();
    jar.cookies = { auth_verification: "garbage", "auth_verification.abcdefgh": "garbage" };
    login("one");
    expect(states()).toEqual([stateOf("one")]);
    expect(names()).toEqual(["auth_verification"]);
  });

  test("an unreadable cookie does not touch another transaction", () => {
    const { login, jar, states } = world();
    login("one");
    login("two");
    jar.cookies["auth_verification"] = "garbage";
    expect(states()).toEqual([stateOf("two"), "unreadable"]);
  });
});

describe("cookies without a transaction of ours", () => {
  test.each([
    ..."auth_verification.short auth_verification.ninechars auth_verification.a.b.c.d.".split(" "),
    ..."auth_verificationx _auth_verification appSession".split(" "),
    `${"x".repeat("auth_verification".length)}.abcdefgh`,
  ])("the cookie %s is not looked at", (name) => {
    expect(world().transactions.read({ [name]: "x" })).toEqual([]);
  });

  test("a session in its place cannot be read", () => {
    const ring = deriveKeyRing([goodSettings.secret], "session");
    const value = sealText(ring, {}, JSON.stringify(transactionOf("one", start)));
    expect(world().states({ auth_verification: value })).toEqual(["foreign"]);
  });

  test("a transaction whose text was changed is unreadable", () => {
    const { login, states, jar } = world();
    login("one");
    const value = jar.cookies["auth_verification"] ?? "";
    const middle = value.length - 40;
    const other = value[middle] === "A" ? "B" : "A";
    const changed = value.slice(0, middle) + other + value.slice(middle + 1);
    expect(states({ ...jar.cookies, auth_verification: changed })).toEqual(["unreadable"]);
  });

  test("a transaction of another app on this host is left alone, and a login goes beside it", () => {
    const other = world(anotherSecret);
    other.login("theirs");
    const { login, jar, states } = world();
    jar.cookies = { ...other.jar.cookies };
    expect(namesIn(login("own"))).toEqual({
      set: [`auth_verification.${stateOf("own").slice(0, 8)}`, binding],
      cleared: [],
    });
    expect(states()).toEqual(["foreign", stateOf("own")]);
    expect(other.states(jar.cookies)).toContain(stateOf("theirs"));
  });
});

test("the settings give its cookie another name, path and SameSite", () => {
  const transactionCookie = { name: "pending", path: "/api", sameSite: "strict" } as const;
  const { login } = world({ transactionCookie });
  expect(login("one")[0]).toMatch(/^pending=.*; Path=\/api; .*; SameSite=Strict$/);
});

describe("which cookies make room for a new login", () => {
  /** The cookies of a browser after five logins, the last one first. */
  function fiveLogins() {
    const browser = world();
    for (const name of ["a", "b", "c", "d", "e"]) browser.login(name);
    const { jar } = browser;
    jar.cookies = Object.fromEntries(Object.entries(jar.cookies).toReversed());
    return browser;
  }

  test("the oldest goes, wherever the browser names it", () => {
    const { login, states } = fiveLogins();
    login("f");
    expect(states()).toEqual(["b", "c", "d", "e", "f"].map(stateOf));
  });

  test("a transaction of another app on this host neither goes nor counts", () => {
    const other = world(anotherSecret);
    const { login, states, jar } = fiveLogins();
    const [foreign = ""] = other.login("x");
    const value = jarAfter([foreign])["auth_verification"] ?? "";
    jar.cookies = { "auth_verification.xxxxxxxx": value, ...jar.cookies };
    login("f");
    expect(states()).toEqual([...["b", "c", "d", "e", "f"].map(stateOf), "foreign"]);
  });

  test("the plain name is taken again once it is free, while further ones are not over", () => {
    const { login, names, jar } = world();
    for (const name of ["a", "b"]) login(name);
    const { auth_verification: _first, ...rest } = jar.cookies;
    jar.cookies = rest;
    login("c");
    expect(names().toSorted()).toEqual(["auth_verification", "auth_verification.b-------"]);
  });
});

describe("the companion of pending logins", () => {
  const sameSites = (setCookies: readonly string[]) =>
    setCookies.map((line) => /^([^=]+)=.*SameSite=(\w+)/.exec(line)?.slice(1).join(" "));
  const ofAcme = { ...transactionOf("acme", start), connection: "acme" };

  test("arrives with forms of other sites while one of them may need it", () => {
    const { transactions } = world();
    const posted = transactions.add(ofAcme, {}, true);
    expect(sameSites(posted)).toEqual(["auth_verification None", `${binding} None`]);
    const beside = transactions.add(transactionOf("ada", start), jarAfter(posted));
    expect(sameSites(beside).slice(1)).toEqual([`${binding} None`]);
    const alone = transactions.add(transactionOf("ada", start), {});
    expect(sameSites(alone)).toEqual(["auth_verification Lax", `${binding} Lax`]);
  });
});
