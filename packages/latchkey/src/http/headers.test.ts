import { describe, expect, test } from "vitest";

import { noStoreHeaders, sessionCacheHeaders, withHeaders } from "./headers.ts";

describe("headers put on an answer", () => {
  test("no list changes nothing", () => {
    const response = new Response("x", { headers: { "Cache-Control": "public" } });
    expect(withHeaders(response, [])).toBe(response);
    expect(response.headers.get("cache-control")).toBe("public");
  });

  test("an answer that the app made cacheable is so no more when it carries a session [STD-145]", () => {
    const headers = { "Cache-Control": "public, s-maxage=3600, max-age=60" };
    const answer = withHeaders(new Response("x", { headers }), sessionCacheHeaders);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("vary")).toBe("Cookie");
  });

  test.each([
    [null, "Cookie"],
    ["Accept", "Accept, Cookie"],
    ["cookie", "cookie"],
    ["Accept, COOKIE", "Accept, COOKIE"],
    ["*", "*"],
  ])("Vary %j becomes %j [STD-146]", (present, expected) => {
    const headers = new Headers(present === null ? {} : { Vary: present });
    const answer = withHeaders(new Response("x", { headers }), sessionCacheHeaders);
    expect(answer.headers.get("vary")).toBe(expected);
  });

  test("several Set-Cookie stay several", () => {
    const answer = withHeaders(new Response("x", { headers: { "Set-Cookie": "own=1" } }), [
      ["Set-Cookie", "appSession.0=a"],
      ["Set-Cookie", "appSession.1=b"],
    ]);
    expect(answer.headers.getSetCookie()).toEqual(["own=1", "appSession.0=a", "appSession.1=b"]);
  });

  test("a cookie that the app has set itself is left as the app wants it", () => {
    const answer = withHeaders(new Response("x", { headers: { "Set-Cookie": "appSession=own" } }), [
      ["Set-Cookie", "appSession=renewed"],
      ["Set-Cookie", "other=1"],
    ]);
    expect(answer.headers.getSetCookie()).toEqual(["appSession=own", "other=1"]);
  });

  test("an answer whose headers cannot be written is copied: status, body, headers", async () => {
    const redirect = Response.redirect("http://localhost/x", 302);
    const answer = withHeaders(redirect, noStoreHeaders);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("http://localhost/x");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const fetched = await fetch("data:text/plain,hello");
    expect(await withHeaders(fetched, noStoreHeaders).text()).toBe("hello");
  });

  test("a null-body answer stays one", () => {
    expect(withHeaders(new Response(null, { status: 204 }), noStoreHeaders).status).toBe(204);
  });
});
