import { describe, expect, test } from "vitest";
import { words } from "../../test/words.ts";

import {
  cookieHeaders,
  noStoreHeaders,
  sessionCacheHeaders,
  setCookiesIn,
  withHeaders,
} from "./headers.ts";

describe("headers added to a response", () => {
  test("a response to which nothing is added is the same one", () => {
    const response = new Response("x", { headers: { "Cache-Control": "public" } });
    expect(withHeaders(response, [])).toBe(response);
    expect(response.headers.get("cache-control")).toBe("public");
  });

  test("a cacheable response of the app becomes private with a session [ATK-005]", () => {
    const headers = { "Cache-Control": "public, s-maxage=3600, max-age=60" };
    const response = withHeaders(new Response("x", { headers }), sessionCacheHeaders);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("vary")).toBe("Cookie");
  });

  test.each(words`
    CDN-Cache-Control Cloudflare-CDN-Cache-Control Vercel-CDN-Cache-Control
    Netlify-CDN-Cache-Control Edge-Control Surrogate-Control X-Accel-Expires Expires
  `)("%s, which shared caches prefer, is taken away [RFC 9213, section 2.2]", (name) => {
    const headers = { [name]: "max-age=3600", "X-Own": "1" };
    const response = withHeaders(new Response("x", { headers }), sessionCacheHeaders);
    expect(response.headers.has(name)).toBe(false);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("x-own")).toBe("1");
  });

  test("a header without cache rules leaves the app's own Cache-Control as it is", () => {
    const headers = { "Cache-Control": "public", "CDN-Cache-Control": "max-age=3600" };
    const response = withHeaders(new Response("x", { headers }), [["X-Ours", "1"]]);
    expect(response.headers.get("cache-control")).toBe("public");
    expect(response.headers.get("cdn-cache-control")).toBe("max-age=3600");
  });

  test.each([
    [null, "Cookie"],
    ["Accept", "Accept, Cookie"],
    ["cookie", "cookie"],
    ["Accept, COOKIE", "Accept, COOKIE"],
    ["*", "*"],
  ])("Vary %j is joined to %j", (present, expected) => {
    const headers = new Headers(present === null ? {} : { Vary: present });
    const response = withHeaders(new Response("x", { headers }), sessionCacheHeaders);
    expect(response.headers.get("vary")).toBe(expected);
  });

  test("several Set-Cookie headers stay several", () => {
    const response = withHeaders(new Response("x", { headers: { "Set-Cookie": "own=1" } }), [
      ["Set-Cookie", "appSession.0=a"],
      ["Set-Cookie", "appSession.1=b"],
    ]);
    expect(response.headers.getSetCookie()).toEqual(["own=1", "appSession.0=a", "appSession.1=b"]);
  });

  test("a cookie set by the app stays as it is", () => {
    const response = withHeaders(
      new Response("x", { headers: { "Set-Cookie": "appSession=own" } }),
      [
        ["Set-Cookie", "appSession=renewed"],
        ["Set-Cookie", "other=1"],
      ],
    );
    expect(response.headers.getSetCookie()).toEqual(["appSession=own", "other=1"]);
  });

  test("a response whose headers cannot be changed is copied with its status, body and headers", async () => {
    const redirect = Response.redirect("http://localhost/x", 302);
    const response = withHeaders(redirect, noStoreHeaders);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("http://localhost/x");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const fetched = await fetch("data:text/plain,hello");
    expect(await withHeaders(fetched, noStoreHeaders).text()).toBe("hello");
  });

  test("a response without a body stays one", () => {
    expect(withHeaders(new Response(null, { status: 204 }), noStoreHeaders).status).toBe(204);
  });
});

test("cookies are headers of their own, and are found among others", () => {
  const headers = cookieHeaders(["a=1", "b=2"]);
  expect(headers).toEqual([
    ["Set-Cookie", "a=1"],
    ["Set-Cookie", "b=2"],
  ]);
  expect(setCookiesIn([...noStoreHeaders, ...headers])).toEqual(["a=1", "b=2"]);
});

describe("one response for every request", () => {
  const cookie = (value: string) => [["Set-Cookie", `appSession=${value}`]] as const;
  const place = Symbol("before");
  const cookiesOf = (response: Response) => response.headers.getSetCookie();

  test("a response returned again by the app has nothing of the former request", async () => {
    const shared = new Response("hello", { status: 201, headers: { "X-Own": "1" } });
    expect(cookiesOf(withHeaders(shared, cookie("ada"), place))).toEqual(["appSession=ada"]);
    const next = withHeaders(shared, cookie("bob"), place);
    expect(cookiesOf(next)).toEqual(["appSession=bob"]);
    expect([next.status, next.headers.get("x-own"), await next.text()]).toEqual([
      201,
      "1",
      "hello",
    ]);
    expect(cookiesOf(withHeaders(shared, [], place))).toEqual([]);
  });

  test("headers shared by responses have nothing of the former request", () => {
    const headers = new Headers({ "X-Own": "1" });
    const sharing = () => Object.defineProperty(new Response("x"), "headers", { value: headers });
    expect(cookiesOf(withHeaders(sharing(), cookie("ada"), place))).toEqual(["appSession=ada"]);
    expect(cookiesOf(withHeaders(sharing(), cookie("bob"), place))).toEqual(["appSession=bob"]);
  });
});
