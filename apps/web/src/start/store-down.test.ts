import { expect, test } from "vitest";

import { findRedis, startRedis } from "../../../../packages/latchkey/test/servers/redis.ts";
import { runApp } from "./running-app.support.ts";

const redis = findRedis();

test.skipIf(redis === null).each(["false", "true"])(
  "while the store is down public pages open, and say that the sign-in cannot be checked; sessions in the store: %s [OP-025]",
  async (stateful) => {
    const server = await startRedis(redis ?? "");
    const app = await runApp({
      LATCHKEY_STORE: `redis://127.0.0.1:${server.port}`,
      LATCHKEY_SESSION_STATEFUL: stateful,
    });
    const headers = { cookie: app.cookies };
    expect(await (await app.get("/", headers)).text()).toContain("Hello, Ada");
    await server.close();
    const home = await app.get("/", headers);
    expect([home.status, home.headers.getSetCookie()]).toEqual([200, []]);
    expect(await home.text()).toContain("tell right now whether");
    for (const [path, status] of [
      ["/_auth/signed-out", 200],
      ["/_auth/nothing", 404],
      ["/api/auth/callback", 400],
    ] as const) {
      const answer = await app.get(path, headers);
      expect([path, answer.status]).toEqual([path, status]);
      // Ours, not the engine's page for a page that cannot be rendered.
      expect(await answer.text()).toContain(" · Latchkey</title>");
    }
    expect((await app.get("/assets/live-test.js", headers)).status).toBe(200);
    const account = await app.get("/account", headers);
    expect([account.status, account.headers.getSetCookie()]).toEqual([503, []]);
    expect(account.headers.get("retry-after")).toBe("5");
    await app.close();
  },
);
