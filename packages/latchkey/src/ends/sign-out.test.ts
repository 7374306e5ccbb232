import { describe, expect, test } from "vitest";

import { failingStore } from "../../test/failing-store.ts";
import { namesIn } from "../../test/browser/cookie-jar.ts";
import { metadataOf } from "../../test/worlds/quick-provider.ts";
import { goodSettings } from "../../test/settings.ts";
import { began, session } from "../../test/sessions/signed-in-app.ts";
import {
  type SignedInExchanges,
  signedInExchanges,
} from "../../test/sessions/signed-in-exchanges.ts";
import type { Options } from "../host/auth.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Exchange } from "../request/exchange.ts";
import { signOut } from "./sign-out.ts";

const inAWeek = began + 604_800;

const endsIn = ({ events }: SignedInExchanges) =>
  events.filter(({ event }) => event.startsWith("sign-out"));

function clearedBy(exchange: Exchange): readonly string[] {
  const lines = exchange.commit().filter(([name]) => name === "Set-Cookie");
  return namesIn(lines.map(([, line]) => line)).cleared;
}

describe.each([false, true])("signing out, sessions in the store: %s", (stateful) => {
  const options = { store: memoryStore(() => began * 1000), session: { stateful } };

  test("is logged with the session it ended, and clears its cookie", async () => {
    const world = await signedInExchanges(options);
    const exchange = world.ask();
    const { id } = world.written.stored.header;
    expect(await signOut(world.context, exchange)).toEqual({
      stored: expect.objectContaining({ data: session }),
      copiesEndBy: 0,
    });
    expect(clearedBy(exchange)).toEqual(["appSession"]);
    expect(endsIn(world)).toEqual([
      { event: "sign-out", reason: "logout", sub: "ada", session: id },
    ]);
    expect(await world.ask().read()).toMatchObject({ state: "ended", reason: "elsewhere" });
  });

  test.each([
    ["every operation", undefined],
    ["a write", "set"],
  ] as const)(
    "for which %s fails reaches the store as soon as it responds [OP-023]",
    async (_, operation) => {
      const store = failingStore(memoryStore(() => began * 1000));
      const world = await signedInExchanges({ store, session: { stateful } });
      const { id } = world.written.stored.header;
      // Only the store knows the user of a handle.
      const isNameless = stateful && operation === undefined;
      const sub = isNameless ? undefined : "ada";
      store.fail(true, operation);
      const exchange = world.ask();
      expect(await signOut(world.context, exchange)).toMatchObject({
        stored: isNameless ? null : { data: session },
        copiesEndBy: inAWeek,
      });
      expect(clearedBy(exchange)).toEqual(["appSession"]);
      const told = { reason: "logout", sub, session: id };
      expect(endsIn(world)).toEqual([{ ...told, event: "sign-out", pending: true }]);
      store.fail(false);
      await world.context.background.close(2000);
      expect(endsIn(world)[1]).toMatchObject({ ...told, event: "sign-out-completed" });
      expect(await world.ask().read()).toMatchObject({ state: "ended", reason: "elsewhere" });
      expect(store.list("session|")).toEqual([]);
    },
  );
});

test.each<[string, Record<string, string>]>([
  ["without a session", {}],
  ["with a cookie that nobody can read", { appSession: "x" }],
])("signing out %s reveals nothing", async (_, jar) => {
  const store = failingStore(memoryStore());
  const world = await signedInExchanges({ store, session: { stateful: true } });
  for (const isDown of [false, true]) {
    store.fail(isDown);
    expect(await signOut(world.context, world.ask(jar))).toEqual({ stored: null });
  }
  expect(endsIn(world)).toEqual([]);
});

test("a session in the store that could not be read is revoked at the provider once it is read", async () => {
  const revoked: (string | null)[] = [];
  const fetch: Options["fetch"] = async (address, { body }) => {
    if (body instanceof URLSearchParams) revoked.push(body.get("token"));
    const issuer = goodSettings.issuerBaseURL;
    return address.endsWith("/revoke")
      ? new Response(null)
      : Response.json({ ...metadataOf(issuer), revocation_endpoint: `${issuer}/revoke` });
  };
  const store = failingStore(memoryStore(() => began * 1000));
  const { context, ask } = await signedInExchanges({ store, fetch, session: { stateful: true } });
  store.fail(true);
  await signOut(context, ask());
  store.fail(false);
  await context.background.close(2000);
  expect(revoked).toEqual(["at"]);
});
