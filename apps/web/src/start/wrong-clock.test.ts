import { afterEach, expect, test, vi } from "vitest";

import { findRedis, startRedis } from "../../../../packages/latchkey/test/servers/redis.ts";
import { startServer } from "../../../../packages/latchkey/test/servers/server.ts";
import { runApp } from "./running-app.support.ts";

const redis = findRedis();
afterEach(() => void vi.useRealTimers());

test.skipIf(redis === null)(
  "a page tells the time of provider and store where the clock of its server is an hour ahead",
  async () => {
    const provider = await startServer();
    provider.serve((_request, response) => response.end("{}"));
    const server = await startRedis(redis ?? "");
    const now = Date.now() / 1000;
    vi.useFakeTimers({ toFake: ["Date"], now: (now + 3600) * 1000 });
    const app = await runApp({
      LATCHKEY_STORE: `redis://127.0.0.1:${server.port}`,
      LATCHKEY_ISSUER_BASE_URL: provider.origin,
    });
    const told = async () => {
      const home = await (await app.get("/_auth/signed-out")).text();
      return Number(/data-now="(\d+)"/.exec(home)?.[1]) - now;
    };
    await expect.poll(told).toBeLessThan(60);
    expect(await told()).toBeGreaterThan(-60);
    await app.close();
    await server.close();
    await provider.close();
  },
);
