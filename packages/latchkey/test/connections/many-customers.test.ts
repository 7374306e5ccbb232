import { fork } from "node:child_process";
import { once } from "node:events";

import { expect, test } from "vitest";

const script = new URL("./apps/many-customers.ts", import.meta.url);
const megabyte = 1_000_000;

type Step = "atFirst" | "full" | "read" | "attacked" | "atEnd";
type Figures = Readonly<Record<Step, { readonly heap: number; readonly looked: number }>>;

test("10,000 customers whose sessions are read take 60 MB at most, after a million reads and made-up ids, too [MX-105] [MX-106]", async () => {
  const execArgv = ["--expose-gc"];
  const app = fork(script, { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const crash = once(app, "exit").then(([code]) => Promise.reject(new Error(`exit ${code}`)));
  const answer = once(app, "message");
  const [{ atFirst, full, read, attacked, atEnd }] = (await Promise.race([answer, crash])) as [
    Figures,
  ];
  expect(full.heap - atFirst.heap).toBeLessThan(60 * megabyte);
  expect(full.looked).toBe(10_000);
  expect(read.heap - full.heap).toBeLessThan(2 * megabyte);
  expect(read.looked).toBe(10_000);
  expect(attacked.heap - read.heap).toBeLessThan(10 * megabyte);
  // The customers are all still known.
  expect(atEnd.looked).toBe(20_000);
}, 120_000);
