import { describe, expect, test } from "vitest";

import { failingStore } from "../../test/failing-store.ts";
import { type SignedInExchanges, signedInExchanges } from "../../test/signed-in-exchanges.ts";
import { began, session } from "../../test/signed-in-app.ts";
import type { Options } from "../auth.ts";
import type { Measurement, Telemetry } from "../config/telemetry/telemetry.ts";
import { memoryStore } from "../stores/memory.ts";

const inStore = { session: { stateful: true } };
const freshStore = () => failingStore(memoryStore(() => began * 1000));

/** Where every session is measured, and told as an operation. */
async function measuredWorld(options: Partial<Options> = {}) {
  const reads: Measurement[] = [];
  const operations: unknown[] = [];
  const store = freshStore();
  const telemetry: Telemetry = {
    onMeasurement: (each) => void (each.of === "session-read" && reads.push(each)),
    async around(each, run) {
      const end = await run();
      if (each.kind === "session") operations.push({ ...each, ...end });
      return end;
    },
  };
  const world = await signedInExchanges({ store, telemetry, ...options });
  return { ...world, reads, operations, store };
}

const operation = { kind: "session", name: "visit", mode: "cookie" };

describe("a session that is read", () => {
  test.each<[string, Record<string, string> | undefined, object, object[]]>([
    ["is active", undefined, { result: "live" }, [{ ...operation, outcome: "live" }]],
    ["is not there", {}, { result: "none" }, []],
    [
      "cannot be read",
      { appSession: "x" },
      { result: "ended", reason: "unreadable" },
      [{ ...operation, outcome: "ended" }],
    ],
    [
      "cannot be read and is in chunks",
      { "appSession.0": "x" },
      { result: "ended", reason: "unreadable" },
      [{ ...operation, outcome: "ended" }],
    ],
  ])("and %s is measured as that", async (_, jar, read, told) => {
    const { ask, reads, operations } = await measuredWorld();
    await ask(jar).read();
    expect(reads).toEqual([{ of: "session-read", ...read }]);
    expect(operations).toEqual(told);
  });

  test("while the store is down is measured as unavailable", async () => {
    const { ask, reads, operations, store } = await measuredWorld();
    store.fail(true);
    await expect(ask().read()).rejects.toMatchObject({ reason: "store_unavailable" });
    expect(reads).toEqual([{ of: "session-read", result: "unavailable" }]);
    const fault = { status: 503, reason: "store_unavailable" };
    expect(operations).toEqual([{ ...operation, ...fault, outcome: "unavailable" }]);
  });

  test("without a store is no operation", async () => {
    const { ask, reads, operations } = await measuredWorld({ store: undefined });
    await ask().read();
    expect(reads).toEqual([{ of: "session-read", result: "live" }]);
    expect(operations).toEqual([]);
  });
});

describe("the end of a session that a browser brings", () => {
  /** What is told when browsers come with such cookies, and lose them. */
  async function toldBy(
    world: SignedInExchanges,
    jars: readonly (Record<string, string> | undefined)[],
  ) {
    for (const jar of jars) {
      const exchange = world.ask(jar);
      await exchange.use();
      exchange.commit();
    }
    return world.events;
  }

  test.each<[string, Partial<Options>, string, number, string]>([
    ["was not used for too long", {}, "idle", 86_400, "ada"],
    ["is too old", { session: { rolling: false } }, "max-age", 604_800, "ada"],
  ])(
    "and %s is told once, however many requests bring it",
    async (_, options, reason, seconds, sub) => {
      const world = await signedInExchanges(options);
      world.advance(seconds);
      const { id } = world.written.stored.header;
      expect(await toldBy(world, [undefined, undefined, undefined])).toEqual([
        { event: "sign-out", reason, sub, session: id },
      ]);
    },
  );

  test("and has left the store is told by the id that its cookie tells", async () => {
    const store = freshStore();
    const world = await signedInExchanges({ store, ...inStore });
    for (const key of store.list("session|")) await store.delete(key);
    const { id } = world.written.stored.header;
    expect(await toldBy(world, [undefined, undefined])).toEqual([
      { event: "sign-out", reason: "expired", session: id },
    ]);
  });

  test("and that nobody can read is told each time, without a name", async () => {
    const world = await signedInExchanges();
    const told = { event: "sign-out", reason: "unreadable" };
    expect(await toldBy(world, [{ appSession: "x" }, { appSession: "x" }])).toEqual([told, told]);
  });

  test("and was ended elsewhere is not told again", async () => {
    const world = await signedInExchanges({ store: freshStore() });
    await world.context.sessions.end(world.written.stored);
    expect(await toldBy(world, [undefined])).toEqual([]);
    expect(await world.context.activity?.list(world.written.stored.header.subTag)).toEqual([]);
  });

  test("and was ended by the provider is told to its person", async () => {
    const user = { sub: "ada", sid: "sid-1" };
    const world = await signedInExchanges({ store: freshStore() }, { ...session, user });
    const { context } = world;
    const { id, subTag, sidTag } = world.written.stored.header;
    world.advance(1);
    await context.ended?.endNamed({ sid: "sid-1" });
    await toldBy(world, [undefined]);
    expect(await context.activity?.list(subTag)).toEqual([
      { at: began + 1, kind: "signed-out-by-provider", sessions: [id], sidTag },
    ]);
  });
});
