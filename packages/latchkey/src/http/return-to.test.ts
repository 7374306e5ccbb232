import { describe, expect, test } from "vitest";

import { safeReturnTo } from "./return-to.ts";

const rules = { baseURL: "http://www.acme.com", authPath: "/api/auth" };
const go = (value: string) => safeReturnTo(value, rules);

describe("kept, as an absolute address", () => {
  test.each([
    ["/foo", "http://www.acme.com/foo"],
    ["foo", "http://www.acme.com/foo"],
    ["/foo?a=https://evil.example", "http://www.acme.com/foo?a=https://evil.example"],
    ["/foo?a=1&b=%20c#part", "http://www.acme.com/foo?a=1&b=%20c#part"],
    ["http://www.acme.com/x", "http://www.acme.com/x"],
    ["http://www.acme.com:80/x", "http://www.acme.com/x"],
    ["HTTP://WWW.ACME.COM/x", "http://www.acme.com/x"],
    ["/", "http://www.acme.com/"],
    ["?q=1", "http://www.acme.com/?q=1"],
    ["/apix/auth", "http://www.acme.com/apix/auth"],
    ["/api/authors", "http://www.acme.com/api/authors"],
    ["/a b", "http://www.acme.com/a%20b"],
    ["/x//y", "http://www.acme.com/x//y"],
    ["/x///y", "http://www.acme.com/x///y"],
    ["/x/%2fy", "http://www.acme.com/x/%2fy"],
    [`/${"x".repeat(4095)}`, `http://www.acme.com/${"x".repeat(4095)}`],
    ["/日本", "http://www.acme.com/%E6%97%A5%E6%9C%AC"],
    ["http://www.acme.com//elsewhere", "http://www.acme.com//elsewhere"],
    ["http://www.acme.com/%2felsewhere?x=1", "http://www.acme.com/%2felsewhere?x=1"],
    ["http://www.acme.com/.//elsewhere", "http://www.acme.com//elsewhere"],
  ])("%s is kept", (value, address) => {
    expect(go(value)).toBe(address);
  });
});

describe("dropped", () => {
  test.each([
    ["another host", "https://evil.example"],
    ["another scheme of the same host", "https://www.acme.com/x"],
    ["another port", "http://www.acme.com:8080/x"],
    ["a host behind two slashes", "//evil.example"],
    ["a host behind many slashes", "////evil.example"],
    ["a back slash", "/\\evil.example"],
    ["a tab before the address", "\thttps://evil.example"],
    ["a tab within two slashes", "/\t/evil.example"],
    ["a line feed", "/a\nb"],
    ["a carriage return", "/a\r\nLocation: x"],
    ["NUL", "/a\0"],
    ["three slashes behind the scheme", "http:///evil.example"],
    ["a script", "javascript:alert(1)"],
    ["data", "data:text/html,x"],
    ["a file", "file:///etc/passwd"],
    ["a blob of the same origin", "blob:http://www.acme.com/x"],
    ["user info on the same host", "http://user:pw@www.acme.com/x"],
    ["a user on the same host", "http://user@www.acme.com/x"],
    ["a password on the same host", "http://:pw@www.acme.com/x"],
    ["user info that looks like the host", "http://www.acme.com@evil.example/"],
    ["a host that begins like ours", "http://www.acme.com.evil.example/"],
    ["a host that ends like ours", "http://evilwww.acme.com/"],
    ["a dot segment that leaves two slashes", "/.//evil.example"],
    ["two dots that leave two slashes", "/..//evil.example"],
    ["three dots and two slashes", "/...//evil.example"],
    ["an encoded NUL", "/a%00b"],
    ["an encoded slash", "/%2fevil.example"],
    ["an encoded back slash", "/%5cevil.example"],
    ["a slash encoded twice", "/%252fevil.example"],
    ["a double slash behind our origin in another spelling", "HTTP://www.acme.com//elsewhere"],
    ["a double slash behind another port", "http://www.acme.com:80//elsewhere"],
    ["a double slash behind a host that begins like ours", "http://www.acme.com.evil//elsewhere"],
    ["logout behind a double slash and our origin", "http://www.acme.com//api/auth/logout"],
    ["white space at the end", "/x "],
    ["nothing", ""],
    ["more than 4096 characters", `/${"x".repeat(4096)}`],
    ["what is no address at all", "http://"],
    ["login", "/api/auth/login"],
    ["logout", "/api/auth/logout"],
    ["logout behind dot segments", "/x/../api/auth/logout"],
    ["logout behind an escape", "/api/%61uth/logout"],
    ["logout behind two slashes", "/api//auth/logout"],
    ["logout behind an encoded slash", "/api%2fauth%2flogout"],
    ["the auth prefix itself", "/api/auth"],
  ])("%s is dropped", (_, value) => {
    expect(go(value)).toBeNull();
  });

  const besideWiki = { ...rules, otherOrigins: ["https://wiki.acme.com"] };

  test.each([
    ["a path", "https://wiki.acme.com/page?a=1#part", "https://wiki.acme.com/page?a=1#part"],
    ["no path", "https://wiki.acme.com", "https://wiki.acme.com/"],
    ["a double slash", "https://wiki.acme.com//x", "https://wiki.acme.com//x"],
    ["a path of our own", "https://wiki.acme.com/api/auth/", "https://wiki.acme.com/api/auth/"],
    ["the default port", "https://wiki.acme.com:443/x", "https://wiki.acme.com/x"],
    ["another port", "https://wiki.acme.com:8443/x", null],
    ["another scheme", "http://wiki.acme.com/x", null],
    ["a blob", "blob:https://wiki.acme.com/x", null],
    ["user info", "https://ada@wiki.acme.com/x", null],
    ["a host below it", "https://a.wiki.acme.com/x", null],
    ["a host that begins like it", "https://wiki.acme.com.evil.example/x", null],
    ["a double slash in another spelling", "HTTPS://WIKI.acme.com//evil.example", null],
    ["a back slash", "https://wiki.acme.com\\x", null],
  ])("another origin that is allowed, with %s: %s becomes %s", (_, value, address) => {
    expect(safeReturnTo(value, besideWiki)).toBe(address);
    expect(go(value)).toBeNull();
  });

  test("the origin of the base URL decides, and its path does not", () => {
    const inShop = { baseURL: "https://h.example/shop", authPath: "/shop/api/auth" };
    expect(safeReturnTo("/foo", inShop)).toBe("https://h.example/foo");
    expect(safeReturnTo("/shop/cart", inShop)).toBe("https://h.example/shop/cart");
    expect(safeReturnTo("/shop/api/auth/logout", inShop)).toBeNull();
    expect(safeReturnTo("/api/auth/logout", inShop)).toBe("https://h.example/api/auth/logout");
  });
});
