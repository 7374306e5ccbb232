import { createAuth } from "latchkey";
import { describe, expect, test } from "vitest";

import { hosts } from "./world/hosts.ts";
import { worldOfTest } from "./world/host-world.ts";

describe.each(hosts)("the store on $name", (host) => {
  test("while it is down the response is 503 of ours and the application is not called; then all works again [AD-032]", async () => {
    let calls = 0;
    const page = () => `call ${(calls += 1)}`;
    const world = await worldOfTest({
      app: (auth) => host.catchAll([auth], page),
      options: { session: { stateful: true } },
    });
    const cookie = await (await world.signedIn()).cookies();
    const before = calls;
    world.store.fail(true);
    const html = { cookie, accept: "text/html" };
    const [asPage, asJSON] = [
      await world.send({ target: "/private", headers: html }),
      await world.send({ target: "/api/me", headers: { cookie, accept: "application/json" } }),
    ];
    expect([asPage.status, asJSON.status, calls]).toEqual([503, 503, before]);
    expect(asPage.header("content-type")).toMatch(/^text\/html/);
    expect(JSON.parse(asJSON.body)).toHaveProperty("error");
    expect([asPage.header("retry-after"), asPage.setCookies]).toEqual(["5", []]);
    world.store.fail(false);
    const again = await world.send({ target: "/private", headers: html });
    expect([again.status, again.body]).toEqual([200, `call ${before + 1}`]);
  });
});

describe.each(hosts)("contradictory settings on $name", (host) => {
  test("are reported by ready() with every fault, and no request reaches the application [AD-039]", async () => {
    let calls = 0;
    const world = await worldOfTest({
      app: () => {
        const auth = createAuth({
          baseURL: "http://localhost:1",
          issuerBaseURL: "ftp://op.example",
          clientID: "",
          secret: "short",
          log: () => undefined,
        });
        return host.catchAll([auth], () => `call ${(calls += 1)}`);
      },
    });
    const response = await world.send({ target: "/private" });
    expect([response.status, calls]).toEqual([500, 0]);
    expect(response.body).not.toContain("short");
  });
});
