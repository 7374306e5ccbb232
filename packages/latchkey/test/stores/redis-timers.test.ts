import { afterEach, expect, test, vi } from "vitest";

import { openRedis } from "../../src/stores/redis/open-redis.ts";
import { findRedis, startRedis } from "../servers/redis.ts";

afterEach(() => void vi.restoreAllMocks());

test.skipIf(findRedis() === null)("a command makes no timer of its own", async () => {
  const server = await startRedis(findRedis() ?? "");
  const store = await openRedis(server.url);
  const timeout = vi.spyOn(AbortSignal, "timeout");
  await store.get(["a"]);
  expect(timeout).not.toHaveBeenCalled();
  await store.close();
  await server.close();
});
