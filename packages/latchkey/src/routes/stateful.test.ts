import { describe, expect, test } from "vitest";

import { failingStore } from "../../test/failing-store.ts";
import { problemIn, startWorld } from "../../test/worlds/world.ts";
import { memoryStore } from "../stores/memory.ts";

const store = failingStore(memoryStore());
const world = await startWorld({ options: { session: { stateful: true }, store } });

describe("sessions in the store", () => {
  test("allow no login while the store is down, and keep its destination [OP-024]", async () => {
    const before = world.provider.requests.length;
    store.fail(true);
    const answer = await world.browser().request("/api/auth/login?returnTo=/orders");
    store.fail(false);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    const { reason, signInURL } = problemIn(answer);
    expect(reason).toBe("store_unavailable");
    expect(new URL(signInURL).searchParams.get("returnTo")).toContain("/orders");
    expect(world.provider.requests).toHaveLength(before);
  });

  test("spend no code in a callback while the store is down, and allow a new attempt [OP-024]", async () => {
    const browser = world.browser();
    const { address, init } = await browser.untilCallback("/orders");
    const before = world.provider.requests.length;
    store.fail(true);
    const answer = await browser.request(address, init);
    store.fail(false);
    expect(answer.status).toBe(503);
    const { reason, signInURL } = problemIn(answer);
    expect(reason).toBe("store_unavailable");
    expect(world.provider.requests).toHaveLength(before);
    await browser.open(signInURL);
    expect((await browser.request("/api/auth/me")).status).toBe(200);
  });
});
