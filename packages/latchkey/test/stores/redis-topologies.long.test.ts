import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

import { openStore } from "../../src/stores/open-store.ts";
import type { Store } from "../../src/stores/store.ts";
import { findRedis, type RunningRedis, startRedis } from "../servers/redis.ts";
import { startIdleTimer } from "../own-time.ts";

const program = findRedis() ?? "";
const soon = Math.floor(Date.now() / 1000) + 3600;
const slots = [
  ["0", "5460"],
  ["5461", "10922"],
  ["10923", "16383"],
] as const;

/** What a store must do wherever it lies; the whole suite runs for one server. */
async function doesAll(store: Store): Promise<void> {
  const keys = ["session|ada|x", "ended-session|ada|x", "id|y", "sid|z", "sub|ada", "probe", ""];
  await Promise.all(keys.map(async (key) => store.set(key, key, soon)));
  expect(await store.get([...keys, "none"])).toEqual([...keys, null]);
  expect(await store.add("id|y", "1", soon)).toBe(false);
  expect(await store.swap("id|y", "id|y", "2", soon)).toBe("done");
  expect(await store.lease("refresh|r", "me", 5000)).toBe(true);
  await store.release("refresh|r", "me");
  expect(await store.get(["refresh|r"])).toEqual([null]);
  await store.join("sessions-of|ada", "session|ada|x", soon);
  expect(await store.members("sessions-of|ada")).toEqual(["session|ada|x"]);
  await store.leave("sessions-of|ada", "session|ada|x");
  expect(await store.members("sessions-of|ada")).toEqual([]);
  await store.delete("id|y");
  expect(await store.get(["id|y"])).toEqual([null]);
}

describe.skipIf(program === "")("Redis of several servers [OP-027]", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-redis-"));
  const running: RunningRedis[] = [];
  const start = async (...settings: string[]) => {
    const server = await startRedis(program, { settings: [...settings, "--dir", folder] });
    running.push(server);
    return server;
  };
  afterAll(async () => {
    await Promise.all(running.map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  describe("a cluster of three", () => {
    const settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"];
    let nodes: RunningRedis[];
    beforeAll(async () => {
      nodes = await Promise.all(
        [0, 1, 2].map((each) => start(...settings, "--cluster-config-file", `nodes-${each}.conf`)),
      );
      await Promise.all(
        nodes.map((node, each) => node.command("CLUSTER", "ADDSLOTSRANGE", ...(slots[each] ?? []))),
      );
      const [first, ...others] = nodes;
      for (const { port } of others)
        await first?.command("CLUSTER", "MEET", "127.0.0.1", `${port}`);
      const isReady = async () => {
        const states = await Promise.all(nodes.map((node) => node.command("CLUSTER", "INFO")));
        return states.every((state) => String(state).includes("cluster_state:ok"));
      };
      await vi.waitUntil(isReady, 60_000);
    });

    test("holds all entries, and keeps those of one user in one slot", async () => {
      const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(",");
      const store = await openStore(`redis+cluster://${hosts}`);
      await doesAll(store);
      const stored = await Promise.all(nodes.map((node) => node.command("KEYS", "*{ada}*")));
      expect(stored.map((keys) => String(keys).split(",").filter(Boolean).length)).toContain(3);
      await store.close();
    });

    /** Returns the node of the slot first. */
    async function nodesFor(slot: number): Promise<readonly RunningRedis[]> {
      const ranges = await Promise.all(nodes.map((node) => node.command("CLUSTER", "MYID")));
      const nodeList = String(await nodes[0]?.command("CLUSTER", "NODES"));
      const owner = nodeList
        .split("\n")
        .find((line) =>
          [...line.matchAll(/ (\d+)-(\d+)/g)].some(
            ([, from, to]) => Number(from) <= slot && slot <= Number(to),
          ),
        );
      const place = ranges.findIndex((id) => owner?.startsWith(String(id)));
      return [...nodes.slice(place), ...nodes.slice(0, place)];
    }

    test("follows redirections while a slot moves to another server", async () => {
      const store = await openStore(`redis+cluster://127.0.0.1:${nodes[0]?.port}`);
      await store.set("id|moves", "1", soon);
      const place = "latchkey:id|{moves}";
      const slot = Number(await nodes[0]?.command("CLUSTER", "KEYSLOT", place));
      const [from, to] = await nodesFor(slot);
      if (from === undefined || to === undefined) throw new Error("no node has the slot");
      const idOf = async (node: RunningRedis) => String(await node.command("CLUSTER", "MYID"));
      await to.command("CLUSTER", "SETSLOT", `${slot}`, "IMPORTING", await idOf(from));
      await from.command("CLUSTER", "SETSLOT", `${slot}`, "MIGRATING", await idOf(to));

      // The new server handles reads and writes of missing keys.
      expect(await store.add("id|moves", "2", soon)).toBe(false);
      expect(await store.get(["id|moves", "sub|moves"])).toEqual(["1", null]);
      await from.command("MIGRATE", "127.0.0.1", `${to.port}`, place, "0", "1000");
      expect(await store.swap("id|moves", "1", "2", soon)).toBe("done");
      expect(await store.get(["id|moves", "sub|other"])).toEqual(["2", null]);

      const newOwner = await idOf(to);
      await Promise.all(
        nodes.map((node) => node.command("CLUSTER", "SETSLOT", `${slot}`, "NODE", newOwner)),
      );
      expect(await store.swap("id|moves", "2", "3", soon)).toBe("done");
      expect(await store.get(["id|moves"])).toEqual(["3"]);
      expect(await store.lease("refresh|moves", "me", 5000)).toBe(true);
      await store.release("refresh|moves", "me");
      expect(await store.get(["refresh|moves"])).toEqual([null]);
      await store.close();
    });

    test("continues within two seconds of a failover from a dead primary [OP-027]", async () => {
      const [dying, ...others] = await nodesFor(0);
      if (dying === undefined) throw new Error("no node has the slot");
      const replica = await start(...settings, "--cluster-config-file", "replica.conf");
      await replica.command("CLUSTER", "MEET", "127.0.0.1", `${dying.port}`);
      const replicate = async () => {
        const id = String(await dying.command("CLUSTER", "MYID"));
        return replica.command("CLUSTER", "REPLICATE", id);
      };
      await expect.poll(replicate).toBe("OK");
      const store = await openStore(`redis+cluster://127.0.0.1:${others[0]?.port}`);
      const keys = Array.from({ length: 30 }, (_, count) => `id|${count}`);
      for (const key of keys) await store.set(key, "1", soon);
      await expect
        .poll(() => replica.command("INFO", "replication"))
        .toContain("master_link_status:up");

      dying.signal("SIGKILL");
      await expect
        .poll(() => replica.command("INFO", "replication"), { interval: 20 })
        .toContain("role:master");
      const idle = startIdleTimer();
      onTestFinished(idle.stop);
      const all = async () => Promise.all(keys.map(async (key) => (await store.get([key])).join()));
      await expect.poll(all, { interval: 20 }).toEqual(keys.map(() => "1"));
      // A client waits up to 1.5 s, by full jitter, before it looks who has the slots now.
      expect(idle.passedMs()).toBeLessThan(2000);
      await store.close();
    });
  });

  describe("a primary, a replica and three sentinels", () => {
    let primary: RunningRedis;
    let replica: RunningRedis;
    let sentinels: RunningRedis[];
    beforeAll(async () => {
      primary = await start();
      replica = await start("--replicaof", "127.0.0.1", `${primary.port}`);
      sentinels = await Promise.all(
        [0, 1, 2].map(async (each) => {
          const file = join(folder, `sentinel-${each}.conf`);
          const lines = [
            `sentinel monitor sessions 127.0.0.1 ${primary.port} 2`,
            "sentinel down-after-milliseconds sessions 1000",
            "sentinel failover-timeout sessions 3000",
          ];
          writeFileSync(file, `${lines.join("\n")}\n`);
          return start(file, "--sentinel");
        }),
      );
    });

    test("holds all entries, and continues after a failover", async () => {
      const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",");
      const store = await openStore(`redis+sentinel://${hosts}/sessions`);
      await doesAll(store);
      await expect
        .poll(() => sentinels[0]?.command("SENTINEL", "CKQUORUM", "sessions"))
        .toContain("OK 3");
      await expect
        .poll(() => primary.command("INFO", "replication"))
        .toContain("connected_slaves:1");
      await store.set("kept", "1", soon);
      await expect.poll(() => replica.command("GET", "latchkey:kept")).toBe("1");
      primary.signal("SIGKILL");
      await expect.poll(() => replica.command("INFO", "replication")).toContain("role:master");
      const idle = startIdleTimer();
      onTestFinished(idle.stop);
      await expect.poll(async () => store.set("again", "1", soon)).toBeUndefined();
      expect(idle.passedMs()).toBeLessThan(5000);
      expect(await store.get(["kept"])).toEqual(["1"]);
      await store.close();
    });
  });
});
