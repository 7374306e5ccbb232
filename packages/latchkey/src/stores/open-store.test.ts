import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import { openStore } from "./open-store.ts";

async function faultOf(address: string): Promise<ConfigFault | undefined> {
  const error: unknown = await openStore(address).catch((reason: unknown) => reason);
  if (!(error instanceof ConfigError)) throw new Error("It was opened.");
  expect(error.faults).toHaveLength(1);
  return error.faults[0];
}

test("openStore() opens a store in memory", async () => {
  const store = await openStore("memory:");
  await store.set("key", "value", Date.now() / 1000 + 60);
  expect(await store.get(["key"])).toEqual(["value"]);
});

test("openStore() opens one store in memory for the whole process, which lasts when a sign-in is closed [AD-038]", async () => {
  const first = await openStore("memory:");
  await first.set("lasting", "value", Date.now() / 1000 + 60);
  await first.close();
  const second = await openStore("memory:");
  expect(await second.get(["lasting"])).toEqual(["value"]);
});

test("openStore() opens a store in a file, which outlives it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-store-"));
  const address = `sqlite:${join(folder, "store.db")}`;
  const first = await openStore(address);
  await first.set("key", "value", Date.now() / 1000 + 60);
  await first.close();
  const second = await openStore(address);
  expect(await second.get(["key"])).toEqual(["value"]);
  await second.close();
  rmSync(folder, { recursive: true });
});

test("openStore() names the Node version with SQLite for a store in a file", () => {
  const file = JSON.stringify(join(import.meta.dirname, "open-store.ts"));
  const program = `await (await import(${file})).openStore("sqlite:store.db")`;
  const old = ["--no-experimental-sqlite", "--conditions=@latchkey/source"];
  const run = () =>
    execFileSync(process.execPath, [...old, "--input-type=module", "-e", program], {
      stdio: "pipe",
    });
  expect(run).toThrow("needs node:sqlite, which Node 22.18 and newer have");
});

const [noAddress, noHost, noURL] = [
  "is not the address of a store",
  "names a host that cannot be read",
  "Invalid URL",
];
test.each([
  ["cupboard", "no scheme", noAddress],
  ["", "no scheme", noAddress],
  ["sqlite:", "sqlite:", noAddress],
  ["http://localhost:6379", "http:", noAddress],
  ["1:redis://[", "no scheme", noAddress],
  ["1:postgres://[", "no scheme", noAddress],
  ["redis://[", "redis:", noHost],
  ["rediss+sentinel://[", "rediss+sentinel:", noHost],
  ["postgres://[", "postgres:", noURL],
  ["postgresql://[", "postgresql:", noURL],
  ["sqlite:/dev/null/store.db", "sqlite:", ""],
])(
  "openStore() reports the address %j as a fault of LATCHKEY_STORE",
  async (address, seen, message) => {
    expect(await faultOf(address)).toEqual({
      option: "store",
      variable: "LATCHKEY_STORE",
      message: expect.stringContaining(message) as string,
      seen,
      remedy: expect.stringContaining("memory:, sqlite:<file>, redis:") as string,
    });
  },
);

test.each([
  "redis://user:canary@[",
  "rediss://user:canary@localhost:1",
  "canary",
  "canary:canary@x",
])("openStore() repeats no more than the scheme of %j", async (address) => {
  const fault = await faultOf(address);
  expect(JSON.stringify(fault).replace('"canary:"', "")).not.toContain("canary");
});
