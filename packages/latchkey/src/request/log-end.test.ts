import { describe, expect, test } from "vitest";

import { failingStore } from "../../test/failing-store.ts";
import {
  type SignedInExchanges,
  signedInExchanges,
} from "../../test/sessions/signed-in-exchanges.ts";
import { began, session } from "../../test/sessions/signed-in-app.ts";
import type { Options } from "../host/auth.ts";
import { memoryStore } from "../stores/memory.ts";

const inStore = { session: { stateful: true } };
const freshStore = () => failingStore(memoryStore(() => began * 1000));

describe("the end of a session a browser brings", () => {
  /** The events of browsers with such cookies, which they lose. */
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

  test.each<[string, Partial<Options>, string, number]>([
    ["was not used for too long", {}, "idle", 86_400],
    ["is too old", { session: { rolling: false } }, "max-age", 604_800],
  ])(
    "and %s is logged once, however many requests bring it",
    async (_, options, reason, seconds) => {
      const world = await signedInExchanges(options);
      world.advance(seconds);
      const { id } = world.written.stored.header;
      expect(await toldBy(world, [undefined, undefined, undefined])).toEqual([
        { event: "sign-out", reason, sub: "ada", session: id },
      ]);
    },
  );

  test("and has left the store is logged with the id of its cookie", async () => {
    const store = freshStore();
    const world = await signedInExchanges({ store, ...inStore });
    for (const key of store.list("session|")) await store.delete(key);
    const { id } = world.written.stored.header;
    expect(await toldBy(world, [undefined, undefined])).toEqual([
      { event: "sign-out", reason: "expired", session: id },
    ]);
  });

  test("and is unreadable is logged each time, without a name", async () => {
    const world = await signedInExchanges();
    const told = { event: "sign-out", reason: "unreadable" };
    expect(await toldBy(world, [{ appSession: "x" }, { appSession: "x" }])).toEqual([told, told]);
  });

  test("and was ended elsewhere is not logged again", async () => {
    const world = await signedInExchanges({ store: freshStore(), activity: true });
    await world.context.sessions.end(world.written.stored);
    expect(await toldBy(world, [undefined])).toEqual([]);
    expect(await world.context.activity?.list(world.written.stored.header.subTag)).toEqual([]);
  });

  test("and was ended by the provider is recorded for its user", async () => {
    const user = { sub: "ada", sid: "sid-1" };
    const world = await signedInExchanges(
      { store: freshStore(), activity: true },
      { ...session, user },
    );
    const { context } = world;
    const { id, subTag, sidTag } = world.written.stored.header;
    world.advance(1);
    await context.ended?.of(context.connections.default.registration).endNamed({ sid: "sid-1" });
    await toldBy(world, [undefined]);
    expect(await context.activity?.list(subTag)).toEqual([
      { at: began + 1, kind: "signed-out-by-provider", sessions: [id], sidTag },
    ]);
  });
});
