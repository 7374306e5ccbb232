import { describe, expect, test } from "vitest";

import { shortestRun } from "../../../test/own-time.ts";
import { goodSettings } from "../../../test/settings.ts";
import { readConfig } from "../../config/config.ts";
import { forNextClient, hostRequest, isForRoutes } from "./next-request.ts";
import { senderOf } from "./wire.ts";

const fetched = {
  "sec-fetch-dest": "empty",
  "sec-fetch-mode": "cors",
  "sec-fetch-site": "same-origin",
};

const config = readConfig({ ...goodSettings, baseURL: "https://app.example" }, { hasStore: false });

describe("what sends a request", () => {
  test.each([
    ["a navigation", "other", { "sec-fetch-dest": "document", accept: "text/html" }],
    ["the router of app/", "router", { ...fetched, accept: "*/*" }],
    ["Next itself, after an action", "router", { accept: "text/x-component" }],
    ["the router of pages/", "data", { ...fetched, accept: "*/*", "x-nextjs-data": "1" }],
    ["an action", "action", { ...fetched, accept: "text/x-component", "next-action": "7f" }],
    ["a script that takes JSON", "other", { ...fetched, accept: "application/json" }],
    ["a program", "other", { accept: "*/*" }],
  ])("the sender %s is recognized by its headers: %s", (_, sender, headers) => {
    expect(senderOf(new Request("http://localhost/private", { headers }))).toBe(sender);
  });

  test.each(["*/*", "text/x-component"])(
    "a POST of a script does not count as the router: %s",
    (accept) => {
      const init = { method: "POST", headers: { ...fetched, accept } };
      expect(senderOf(new Request("http://localhost/private", init))).toBe("other");
    },
  );
});

describe("the guarded target", () => {
  test.each([
    ["/private?tab=2", "/private?tab=2"],
    ["/_next/data/build/private.json?tab=2", "/private?tab=2"],
    ["/shop/_next/data/build/index.json", "/shop/"],
    ["/_next/image?url=%2Fprivate.png&w=64&q=75", "/private.png"],
    ["/_next/image?url=https%3A%2F%2Felsewhere%2Fx.png&w=64", null],
    ["/_next/static/x.js", null],
    ["/private/?tab=a+b", "/private/?tab=a%20b"],
    ["/api/auth/callback/?code=x", "/api/auth/callback?code=x"],
    ["/_auth/signed-out/", "/_auth/signed-out"],
    ["/private?/api/auth/callback/", null],
    ["/api/auth/callback/x", null],
    ["/_next/data/build/private.json/x", null],
    ["/_next/image/x?url=%2Fprivate.png", null],
    ["/_next/image?w=64", null],
  ])("%s is guarded as %s", (asked, expected) => {
    const request = new Request(`http://127.0.0.1:3000${asked}`);
    const { target, url } = hostRequest(request, config, "other");
    expect(target).toBe(expected ?? asked);
    expect(url).toBe(`https://app.example${target}`);
  });
});

describe("the requests answered by the handlers of an app that moves from nextjs-auth0", () => {
  const routes = { callback: "/callback", login: "/login" };
  const baseURL = "https://app.example/shop";
  const moved = readConfig({ ...goodSettings, baseURL, routes }, { hasStore: false });

  test.each([
    ["/shop/api/auth/logout", true],
    ["/shop/login?returnTo=%2F", true],
    ["/shop/callback?code=a&state=b", true],
    ["/shop/callback/?code=a&state=b", true],
    ["/callback", true],
    ["/shop/api/auth/signup", true],
    ["/shop/api/auth/%6Cogin", true],
    ["/shop/_next/data/build/callback.json?code=a", false],
    ["/shop/_next/data/build/api/auth/x/y.json", false],
    ["/shop/_next/data/build/api/auth/x.json", false],
    ["/shop/_next/image?url=%2Fshop%2Fapi%2Fauth%2Fcallback%3Fcode%3Da&w=64&q=75", false],
    ["/shop/api/auth", false],
    ["/shop/api/auth/x/y", false],
    ["/shop/api/auth/backchannel-logout/acme", true],
    ["/shop/api/auth/backchannel-logout/acme/x", false],
    ["/shop/api/auth/backchannel-logout/Acme", false],
    ["/shop/api/auth/(..)(..)(..)private", false],
    ["/shop/api/auth/..%2f..%2fadmin", false],
    ["/shop/api/auth/..%252f..%252fadmin", false],
    ["/shop/api/auth/..;/..;/private", false],
    ["/shop/api/auth/..%5c..%5cadmin", false],
    ["/shop/api/auth//admin", false],
    ["/shop/login/..;/private", false],
    ["/shop/callback/orders", false],
    ["/shop/callbacks", false],
    ["/shop/private?to=/callback", false],
    ["/shop/api/orders", false],
  ])("%s is left to them: %s", (target, expected) => {
    expect(isForRoutes(new Request(`http://127.0.0.1:3000${target}`), moved)).toBe(expected);
  });

  test("data for the router of pages/ is guarded as a page", () => {
    const headers = { "x-nextjs-data": "1" };
    const request = new Request("http://127.0.0.1:3000/shop/api/auth/x", { headers });
    expect(isForRoutes(request, moved)).toBe(false);
  });
});

test.each([
  ["/de/shop/de/private?tab=2", "/shop/de/private?tab=2", "/private?tab=2"],
  ["/de/shop/DE/private/", "/shop/DE/private/", "/private/"],
  ["/de/shop/de", "/shop/de", "/"],
  ["/shop/de/shop/de/x", "/shop/de/shop/de/x", "/shop/de/x"],
  ["/shop/private", "/shop/private", undefined],
  ["/de/shopping", "/de/shopping", "/shopping"],
])("%s, below a path and in a language, is %s and shows the page %s", (asked, target, shown) => {
  const below = readConfig(
    { ...goodSettings, baseURL: "https://app.example/shop" },
    { hasStore: false },
  );
  const nextUrl = { locale: "de" };
  const request = Object.assign(new Request(`http://127.0.0.1:3000${asked}`), { nextUrl });
  expect(hostRequest(request, below, "other")).toMatchObject({
    target,
    url: `https://app.example${target}`,
    otherTargets: shown === undefined ? [] : [shown],
  });
});

test("a path with hundreds of data segments costs a few milliseconds [ATK-076]", async () => {
  const request = new Request(`http://localhost/${"</_next/data/".repeat(5_000)}!`);
  const read = () => hostRequest(request, config, "other");
  expect(await shortestRun(read)).toBeLessThan(40);
});

test("the router only fetches ahead: nothing starts before the browser opens the page", () => {
  const told = (sender: "router" | "other") =>
    hostRequest(new Request("http://localhost/"), config, sender).headers.get("Sec-Purpose");
  expect([told("router"), told("other")]).toEqual(["prefetch", null]);
});

describe("the page on screen, whose rules count as well", () => {
  const shownAt = (asked: string, nextUrl: object = { locale: "" }) => {
    const request = Object.assign(new Request(`http://127.0.0.1:3000${asked}`), { nextUrl });
    return hostRequest(request, config, "other").otherTargets?.[0];
  };

  test.each([
    ["/de/private?tab=2", "/private?tab=2"],
    ["/DE/private", "/private"],
    ["/de/_next/data/build/private.json", "/private"],
    ["/de", "/"],
    ["/de?tab=2", "/?tab=2"],
    ["/debt", undefined],
    ["/private", undefined],
  ])("is %s without its language: %s", (asked, shown) => {
    expect(shownAt(asked, { locale: "de" })).toBe(shown);
  });

  test.each([
    ["/(.)photo", "/photo"],
    ["/feed/(..)photo?x=(.)", "/feed/../photo?x=(.)"],
    ["/a/b/(..)(..)photo", "/a/b/../../photo"],
    ["/a/b/(...)photo", "/photo"],
    ["/photo?x=/(.)photo", undefined],
    ["/photo", undefined],
  ])("is the page replaced by %s: %s", (asked, shown) => {
    expect(shownAt(asked)).toBe(shown);
  });
});

describe("what the client of Next gets in place of a redirect or an error [AD-013]", () => {
  const redirect = {
    status: 303,
    headers: [
      ["Vary", "Cookie"],
      ["Location", "/api/auth/login"],
    ] as const,
    body: null,
  };
  const refusal = {
    status: 401,
    headers: [["Content-Type", "application/json"]] as const,
    body: "{}",
  };

  test("an action gets the location in a header", () => {
    expect(forNextClient(config, { sender: "action", target: "/private" }, redirect)).toEqual({
      status: 200,
      headers: [
        ["Vary", "Cookie"],
        ["X-Action-Redirect", "/api/auth/login;push"],
      ],
      body: "",
    });
  });

  test("the router gets nothing, and lets the browser open the page", () => {
    expect(forNextClient(config, { sender: "router", target: "/private" }, refusal)).toEqual({
      status: 200,
      headers: [["Content-Type", "text/plain; charset=utf-8"]],
      body: "",
    });
  });

  test("the router starts no login, and gets the 204 of the profile unchanged", () => {
    const nobody = { status: 204, headers: [], body: null };
    const ask = (target: string) => forNextClient(config, { sender: "router", target }, nobody);
    expect(ask("/api/auth/login?returnTo=/").status).toBe(200);
    expect(ask("/api/auth/logout").status).toBe(200);
    expect([ask("/api/auth/me"), ask("/private")]).toEqual([nobody, nobody]);
    const asked = { sender: "router", target: "/api/auth/login" } as const;
    expect(forNextClient(config, asked, redirect)).toBe(redirect);
  });

  test.each(["action", "data", "other"] as const)("%s gets the response itself", (sender) => {
    expect(forNextClient(config, { sender, target: "/private" }, refusal)).toBe(refusal);
  });

  test("an API path keeps its 401 for every sender", () => {
    expect(forNextClient(config, { sender: "router", target: "/api/me" }, refusal)).toBe(refusal);
  });
});
