import { describe, expect, test } from "vitest";

import { hosts } from "./world/hosts.ts";
import { worldOfTest } from "./world/host-world.ts";

const methods =
  "GET HEAD OPTIONS POST PUT PATCH DELETE TRACE CONNECT PURGE PROPFIND QUERY BREW get GeT".split(
    " ",
  );
describe.each(hosts)("the guard on $name", (host) => {
  test.each([["/api/me", { connection: "close, upgrade", upgrade: "websocket" }]])(
    "answers %s 401, asked for a WebSocket [AD-009]",
    async (target, headers) => {
      const world = await worldOfTest({ app: host.app });
      const response = await world.send({ target, headers });
      expect([response.status, response.setCookies]).toEqual([401, []]);
    },
  );

  test("sends a login in development to the base URL first, where the cookies will be [AD-012]", async () => {
    const world = await worldOfTest({ app: host.app });
    const target = "/api/auth/login?returnTo=%2Fprivate";
    const response = await world.send({ target, headers: { host: "127.0.0.1:1" } });
    const { origin, pathname, searchParams } = new URL(response.header("location") ?? "");
    expect([response.status, origin, pathname, searchParams.get("returnTo")]).toEqual([
      302,
      world.baseURL,
      "/api/auth/login",
      "/private",
    ]);
    expect(response.setCookies).toEqual([]);
  });

  test("never calls the application for a request that was refused [AD-006, AD-011]", async () => {
    const called: string[] = [];
    const page = (target: string) => {
      called.push(target);
      return "called";
    };
    const world = await worldOfTest({ app: (auth) => host.catchAll([auth], page) });
    for (const method of methods) {
      for (const target of ["/private", "//private", "http://[/", "/%", "*", "/api/auth/login"]) {
        await world.send({ method, target });
      }
    }
    expect(called).toEqual([]);
    await world.signedIn();
    expect(called).toEqual([expect.stringMatching(/\/private$/)]);
  });
});
