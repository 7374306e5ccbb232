import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

const holder = `
  const { parentPort } = require("node:worker_threads");
  navigator.locks.request("extend", () => {
    parentPort.postMessage("held");
    return new Promise(() => {});
  });
`;

/** Node 22 has none. */
const hasLocks = "locks" in navigator;

test.runIf(hasLocks)(
  "a lock of another thread is free in this one, as in another browser",
  async () => {
    const other = new Worker(holder, { eval: true });
    await once(other, "message");
    const options = { ifAvailable: true };
    const isFree = await navigator.locks.request("extend", options, (lock) => lock !== null);
    await other.terminate();
    expect(isFree).toBe(true);
  },
);
