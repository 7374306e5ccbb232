import { describe, expect, test } from "vitest";

import { type CookieAttributes, clearCookie, parseCookies, setCookie } from "./cookies.ts";

const overHTTPS: CookieAttributes = { path: "/", secure: true, sameSite: "lax" };
const overHTTP: CookieAttributes = { path: "/", secure: false, sameSite: "lax" };

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
