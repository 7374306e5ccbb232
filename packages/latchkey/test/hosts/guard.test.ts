import { describe, expect, test } from "vitest";

import { inParallel } from "../in-parallel.ts";
import { isOneSite } from "../second-site.ts";
import { hosts } from "./world/hosts.ts";
import { worldOfTest } from "./world/host-world.ts";

const methods =
  "GET HEAD OPTIONS POST PUT PATCH DELETE TRACE CONNECT PURGE PROPFIND QUERY BREW get GeT".split(
    " ",
  );
const targets = String.raw`/private //private // /\ http://[/ http:// //[ * # evil.example:80 //:0/
  /% /api/auth/login /api/auth/nothing /api/auth/callback?state=%`;

describe.each(hosts)("the guard on $name", (host) => {
  test.runIf(isOneSite)(
    "sends a login in development to the base URL first, which will have the cookies [AD-012]",
    async () => {
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
    },
  );

  test("never calls the application for a refused request, whatever its method or target [AD-006, AD-011]", async () => {
    const called: string[] = [];
    const page = (target: string) => {
      called.push(target);
      return "called";
    };
    const world = await worldOfTest({ app: (auth) => host.catchAll([auth], page) });
    const requests = [
      ...methods.map((method) => ({ method, target: "/private" })),
      ...targets
        .split(/\s+/)
        .flatMap((target) => ["GET", "POST"].map((method) => ({ method, target }))),
    ];
    await inParallel(requests, async (request) => void (await world.send(request)));
    expect([called, world.complaints()]).toEqual([[], []]);
    await world.signedIn();
    expect(called).toEqual([expect.stringMatching(/\/private$/)]);
  });
});
