import { describe, expect, test } from "vitest";

import { createRenewed } from "./renewed.ts";

/** A value that a provider gives, counted, and a clock that is moved by hand. */
function world() {
  let now = 0;
  let loads = 0;
  let fault: Error | null = null;
  const renewed = createRenewed({
    async load() {
      loads += 1;
      await Promise.resolve();
      if (fault !== null) throw fault;
      return `value ${loads}`;
    },
    maxAgeMs: 600_000,
    retryAfterMs: 30_000,
    clock: () => now,
  });
  return {
    renewed,
    loads: () => loads,
    advance: (ms: number) => void (now += ms),
    fail: (error: Error | null) => void (fault = error),
  };
}

test("is loaded once, however many ask at the same moment [REL-F06]", async () => {
  const { renewed, loads } = world();
  const values = await Promise.all(Array.from({ length: 1000 }, () => renewed.get()));
  expect(new Set(values)).toEqual(new Set(["value 1"]));
  expect(loads()).toBe(1);
});

test("is renewed within ten minutes, not before [REL-F11]", async () => {
  const { renewed, advance } = world();
  await renewed.get();
  advance(599_999);
  expect(await renewed.get()).toBe("value 1");
  advance(1);
  expect(await renewed.get()).toBe("value 2");
});

describe("while the provider fails", () => {
  test("the last good value serves on, and the next try waits half a minute [REL-F10]", async () => {
    const { renewed, advance, fail, loads } = world();
    await renewed.get();
    fail(new Error("down"));
    advance(600_000);
    for (let count = 0; count < 5; count += 1) expect(await renewed.get()).toBe("value 1");
    expect(loads()).toBe(2);
    advance(30_000);
    expect(await renewed.get()).toBe("value 1");
    expect(loads()).toBe(3);
    fail(null);
    advance(30_000);
    expect(await renewed.get()).toBe("value 4");
  });

  test("a first load that fails is told, and not kept", async () => {
    const { renewed, fail } = world();
    fail(new Error("down"));
    await expect(renewed.get()).rejects.toThrow("down");
    fail(null);
    expect(await renewed.get()).toBe("value 2");
  });

  test("who asks for a renewal is told of the failure, and others keep what they had", async () => {
    const { renewed, fail } = world();
    await renewed.get();
    fail(new Error("down"));
    await expect(renewed.renew()).rejects.toThrow("down");
    expect(await renewed.get()).toBe("value 1");
  });
});
