import { describe, expect, test } from "vitest";

import { cookieHeaderAfter, handOn } from "./wire.ts";

describe("the cookie header after a response", () => {
  test("a written cookie replaces the sent one, and others stay as they are", () => {
    const sent = 'app="dark"; appSession=old; other=a=b';
    expect(cookieHeaderAfter(sent, ["appSession=new; Path=/; HttpOnly"])).toBe(
      'app="dark"; other=a=b; appSession=new',
    );
  });

  test("a session that grows into chunks leaves no part of the former one", () => {
    const written = ["appSession.0=a", "appSession.1=b", "appSession=; Expires=Thu, 01 Jan 1970"];
    expect(cookieHeaderAfter("appSession=old", written)).toBe("appSession.0=a; appSession.1=b");
  });

  test("a cleared cookie is not sent any more", () => {
    expect(cookieHeaderAfter("appSession=old", ["appSession=; Path=/"])).toBe("");
    expect(cookieHeaderAfter(null, [])).toBe("");
    expect(cookieHeaderAfter(null, ["appSession=new"])).toBe("appSession=new");
  });
});

describe("the request behind the proxy", () => {
  const request = new Request("http://localhost/", {
    headers: { accept: "text/html", cookie: "appSession=old", "x-latchkey-renewed": "1" },
  });

  function handedOn(response: Response, changed: readonly (readonly [string, string])[]) {
    handOn(request, response, changed);
    const names = response.headers.get("x-middleware-override-headers")?.split(",") ?? [];
    return Object.fromEntries(
      names.map((name) => [name, response.headers.get(`x-middleware-request-${name}`)]),
    );
  }

  test("has all headers of the client and all changes, and none of our headers from the client [AD-043]", () => {
    const response = new Response(null, { headers: { "x-middleware-next": "1" } });
    expect(handedOn(response, [["x-latchkey-target", "/private"]])).toEqual({
      accept: "text/html",
      cookie: "appSession=old",
      "x-latchkey-target": "/private",
    });
    expect(response.headers.has("x-middleware-request-x-latchkey-renewed")).toBe(false);
  });

  test("keeps the headers set by the proxy of the app, and has the new cookie", () => {
    const headers = {
      "x-middleware-next": "1",
      "x-middleware-override-headers": "x-own,cookie",
      "x-middleware-request-x-own": "yes",
      "x-middleware-request-cookie": "appSession=old",
    };
    expect(handedOn(new Response(null, { headers }), [["cookie", "appSession=new"]])).toEqual({
      "x-own": "yes",
      cookie: "appSession=new",
    });
  });

  test("a response of the app's own proxy goes to the browser as it is", () => {
    const response = new Response("own");
    handOn(request, response, [["cookie", "appSession=new"]]);
    expect([...response.headers.keys()]).toEqual(["content-type"]);
  });
});
