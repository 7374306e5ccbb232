import { describe, expect, test } from "vitest";

import {
  findRedis,
  type RunningRedis,
  startRedis,
} from "../../packages/latchkey/test/servers/redis.ts";
import { host, sharedWorld, worldOfTest } from "./world.ts";

const redisProgram = findRedis();

const describeWithRedis = host.hasRedis ? describe : () => undefined;

describeWithRedis(`the store on ${host.title}`, () => {
  test("while it is down the response is 503 of ours and the application is not called; then all works again [AD-032]", async () => {
    if (redisProgram === null) throw new Error("There is no Redis: npm test gets one.");
    let redis: RunningRedis = await startRedis(redisProgram);
    const world = await worldOfTest({
      environment: {
        LATCHKEY_STORE: `redis://127.0.0.1:${redis.port}`,
        // The new server is empty.
        LATCHKEY_SESSION_STATEFUL: "false",
      },
    });
    const browser = await world.signedIn();
    const cookie = await browser.cookies();
    await redis.close();
    const asPage = await world.send({
      target: "/private",
      headers: { cookie, accept: "text/html" },
    });
    const headers = { cookie, accept: "application/json" };
    const asJSON = await world.send({ target: "/api/me", headers });
    expect([asPage.status, asJSON.status]).toEqual([503, 503]);
    expect(asPage.header("content-type")).toMatch(/^text\/html/);
    expect(JSON.parse(asJSON.body)).toHaveProperty("error");
    expect([asPage.header("retry-after"), asPage.setCookies]).toEqual(["5", []]);
    expect(asPage.body).not.toContain("Private page");

    redis = await startRedis(redisProgram, { port: redis.port });
    await expect.poll(async () => (await browser.request("/private")).status).toBe(200);
    await redis.close();
  });
});

describe(`contradictory settings on ${host.title}`, () => {
  const world = sharedWorld({
    environment: { LATCHKEY_SECRET: "short", LATCHKEY_ISSUER_BASE_URL: "ftp://op.example" },
  });

  test("answer requests without calling the application, and the log names every fault [AD-039]", async () => {
    const response = await world().send({ target: "/private" });
    expect([response.status, response.body.includes("Private page")]).toEqual([500, false]);
    expect(response.body).not.toContain("short");
    await expect.poll(() => world().app.output()).toContain("LATCHKEY_ISSUER_BASE_URL");
    expect(world().app.output()).toContain("LATCHKEY_SECRET");
    expect(world().app.output()).not.toContain('short"');
  });
});
