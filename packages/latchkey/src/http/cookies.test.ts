import { describe, expect, test } from "vitest";

import { jarAfter, namesIn } from "../../test/browser/cookie-jar.ts";
import {
  type CookieAttributes,
  clearCookie,
  cookieBytes,
  cookieLimit,
  createChunkedCookie,
  joinChunks,
  parseCookies,
  setCookie,
  unseenChunks,
} from "./cookies.ts";

const overHTTPS: CookieAttributes = { path: "/", secure: true, sameSite: "lax" };
const overHTTP: CookieAttributes = { path: "/", secure: false, sameSite: "lax" };
const expiry = 1_700_086_400;

function cookiesOf(header: string) {
  return { ...parseCookies(new Request("http://localhost/", { headers: { cookie: header } })) };
}

describe("reading", () => {
  test("a request without a Cookie header has no cookies", () => {
    expect({ ...parseCookies(new Request("http://localhost/")) }).toEqual({});
  });

  test("white space around names and values is left out", () => {
    expect(cookiesOf("a=1; b=2;c=3;  d = 4 ")).toEqual({ a: "1", b: "2", c: "3", d: "4" });
  });

  test("of two cookies with the same name the first one counts [STD-143]", () => {
    expect(cookiesOf("appSession=first; appSession=second")).toEqual({ appSession: "first" });
  });

  test("a value keeps its dots, dashes and equal signs", () => {
    expect(cookiesOf("s=a.b-c_d==")).toEqual({ s: "a.b-c_d==" });
  });

  test.each(["=", ";;;", "novalue", "=x; ok=1", "a=%E0%A4%A; ok=1", "\u00ff=1; ok=1"])(
    "the malformed header %j throws nothing",
    (header) => {
      expect(() => cookiesOf(header)).not.toThrow();
    },
  );

  test("names of the object prototype are names like any other", () => {
    const cookies = cookiesOf("__proto__=x; constructor=y; toString=z");
    expect(cookies["constructor"]).toBe("y");
    expect(cookies["toString"]).toBe("z");
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect(parseCookies(new Request("http://localhost/"))["toString"]).toBeUndefined();
    expect(
      parseCookies(new Request("http://localhost/", { headers: { cookie: "a=1" } }))["toString"],
    ).toBeUndefined();
  });
});

describe("writing", () => {
  test("a cookie over https is HttpOnly, Secure and SameSite=Lax, and says when it ends [ASVS 3.3.1]", () => {
    expect(setCookie("appSession", "v", overHTTPS, 1_700_086_400)).toBe(
      "appSession=v; Path=/; Expires=Wed, 15 Nov 2023 22:13:20 GMT; HttpOnly; Secure; SameSite=Lax",
    );
  });

  test("a cookie over http is not Secure", () => {
    expect(setCookie("appSession", "v", overHTTP, 1_700_086_400)).toBe(
      "appSession=v; Path=/; Expires=Wed, 15 Nov 2023 22:13:20 GMT; HttpOnly; SameSite=Lax",
    );
  });

  test("a cookie without an end ends with the browser", () => {
    expect(setCookie("c", "v", overHTTPS)).toBe("c=v; Path=/; HttpOnly; Secure; SameSite=Lax");
  });

  test.each([
    ["strict", "SameSite=Strict"],
    ["none", "SameSite=None"],
  ] as const)("SameSite %s is written out", (sameSite, expected) => {
    expect(setCookie("c", "v", { ...overHTTPS, sameSite })).toContain(expected);
  });

  test("a cookie has the domain and the path of the settings", () => {
    const line = setCookie("c", "v", { ...overHTTPS, domain: "example.com", path: "/shop" });
    expect(line).toContain("Domain=example.com");
    expect(line).toContain("Path=/shop");
  });

  test("clearing uses the attributes of setting, with an end in the past [STD-142]", () => {
    const attributes = { ...overHTTPS, domain: "example.com", path: "/shop" };
    const attributesOf = (line: string) =>
      line
        .split("; ")
        .slice(1)
        .filter((part) => !part.startsWith("Expires="));
    const cleared = clearCookie("c", attributes);
    expect(cleared).toMatch(/^c=; /);
    expect(cleared).toContain("Expires=Thu, 01 Jan 1970 00:00:00 GMT");
    expect(attributesOf(cleared)).toEqual(attributesOf(setCookie("c", "v", attributes, 2e9)));
  });
});

describe("chunks", () => {
  const cookie = createChunkedCookie("appSession", overHTTPS);

  test.each([
    ["appSession", overHTTPS, false, 4004],
    ["appSession", overHTTP, false, 4012],
    ["appSession", overHTTPS, true, 4004 + "; Expires=Wed, 15 Nov 2023 22:13:20 GMT".length],
    ["appSession", { ...overHTTPS, domain: "example.com" }, false, 4004 - 20],
    ["appSession", { ...overHTTPS, path: "/shop" }, false, 4004 - 4],
    ["longerSession", overHTTPS, false, 4001],
  ] as const)(
    "one cookie %s with %j, transient %s, holds at most %i characters",
    (name, attributes, isTransient, longest) => {
      const { write } = createChunkedCookie(name, attributes, isTransient);
      expect(namesIn(write("x".repeat(longest), expiry, {})).set).toEqual([name]);
      const longer = jarAfter(write("x".repeat(longest + 1), expiry, {}));
      expect(longer).toEqual({ [`${name}.0`]: "x".repeat(longest), [`${name}.1`]: "x" });
    },
  );

  const counts = Array.from({ length: 20 }, (_, index) => index + 1);
  test.each(counts)("%i full chunks each stay within 4096 bytes on the wire [STD-140]", (count) => {
    for (const length of [count * 4004 - 1, count * 4004, count * 4004 + 1]) {
      const setCookies = cookie.write("x".repeat(length), expiry, {});
      for (const line of setCookies) expect(line.length).toBeLessThanOrEqual(cookieLimit);
      const jar = jarAfter(setCookies);
      expect(Object.values(jar)).not.toContain("");
      expect(joinChunks("appSession", jar)).toEqual(["x".repeat(length)]);
    }
  });

  test("a longer or shorter value leaves no chunk of the former value [STD-142]", () => {
    let jar: Record<string, string> = {};
    for (const length of [100, 9000, 4500, 45_000, 100, 30_000, 4500]) {
      jar = jarAfter(cookie.write("x".repeat(length), expiry, jar), jar);
      expect(Object.values(jar).join("")).toHaveLength(length);
      const { length: count } = Object.keys(jar);
      const numbered = Array.from({ length: count }, (_, at) => `appSession.${at}`);
      expect(Object.keys(jar).toSorted()).toEqual(
        count === 1 ? ["appSession"] : numbered.toSorted(),
      );
    }
  });

  test("a transient cookie ends with the browser", () => {
    const { write } = createChunkedCookie("appSession", overHTTPS, true);
    expect(write("x", expiry, {}).join()).not.toContain("Expires");
    const lasting = createChunkedCookie("appSession", overHTTPS);
    expect(lasting.write("x", expiry, {}).join()).toContain("Expires");
  });

  test("every chunk of the request is cleared with the attributes it was set with [STD-142, ATK-011, ATK-044]", () => {
    const names = [0, 1, 9, 10, 123, 9999].map((index) => `appSession.${index}`);
    const jar = Object.fromEntries(["appSession", ...names].map((name) => [name, "x"]));
    const cleared = cookie.clear(jar);
    expect(namesIn(cleared)).toEqual({ set: [], cleared: ["appSession", ...names] });
    for (const line of cleared)
      expect(line).toMatch(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
  });

  test("of more chunks than a browser keeps the first are cleared, and the others by the next responses", () => {
    const numbers = Array.from({ length: 120 }, (_, index) => 119 - index);
    const given = Object.fromEntries(
      [...numbers.map((index) => `appSession.${index}`), "appSession"].map((name) => [name, "x"]),
    );
    const cleared = namesIn(cookie.clear(given)).cleared;
    expect([cleared.length, cleared[0], cleared.at(-1)]).toEqual([
      50,
      "appSession",
      "appSession.48",
    ]);
    expect(joinChunks("appSession", jarAfter(cookie.clear(given), given))).toEqual([]);
    const value = "y".repeat(9000);
    let jar = jarAfter(cookie.write(value, expiry, given), given);
    expect(joinChunks("appSession", jar)).toEqual([value]);
    for (let responses = 0; responses < 2; responses += 1)
      jar = jarAfter(cookie.write(value, expiry, jar), jar);
    expect(Object.keys(jar)).toHaveLength(3);
  });

  test("cookies of others are not cleared", () => {
    const others = "S s0 s. s.a s.01 s.-1 s.1.2 s.10000 xs s.0x s_0".split(" ");
    const jar = Object.fromEntries(others.map((name) => [name, "x"]));
    expect(createChunkedCookie("s", overHTTPS).clear(jar)).toEqual([]);
  });

  test("clears chunks unknown to the request, but none of the new ones", () => {
    const unseen = unseenChunks("appSession", 2);
    expect(namesIn(cookie.write("x", expiry, unseen)).cleared).toEqual([
      "appSession.0",
      "appSession.1",
    ]);
    expect(namesIn(cookie.write("x".repeat(5000), expiry, unseen)).cleared).toEqual(["appSession"]);
  });
});

describe("joining", () => {
  test("chunks are joined by number, however the browser orders them", () => {
    const cookies: Record<string, string> = { other: "-" };
    for (const index of [10, 2, 0, 1, 9, 3, 8, 4, 7, 5, 6]) cookies[`s.${index}`] = `${index};`;
    expect(joinChunks("s", cookies)).toEqual(["0;1;2;3;4;5;6;7;8;9;10;"]);
  });

  test("a gap ends the value", () => {
    expect(joinChunks("s", { "s.0": "a", "s.2": "c" })).toEqual(["a"]);
  });

  test("chunks without a first one make no value", () => {
    expect(joinChunks("s", { "s.1": "b" })).toEqual([]);
  });

  test("a plain cookie beside chunks is a value of its own, never mixed with them [STD-143]", () => {
    expect(joinChunks("s", { s: "old", "s.0": "a", "s.1": "b" })).toEqual(["old", "ab"]);
  });

  test("empty cookies, as clearing leaves them, make no value", () => {
    expect(joinChunks("s", { s: "", "s.0": "" })).toEqual([]);
    expect(joinChunks("s", {})).toEqual([]);
    expect(joinChunks("s", { "s.0": "a", "s.1": "", "s.2": "c" })).toEqual(["a"]);
  });

  test("the bytes of cookies are counted as a browser sends them back", () => {
    const setCookies = ["a=12; Path=/; HttpOnly", "b=3", "c=; Path=/"];
    expect(cookieBytes(setCookies)).toBe("a=12; b=3; ".length);
  });
});
