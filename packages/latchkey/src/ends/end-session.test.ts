import { describe, expect, test } from "vitest";

import { signedInExchanges } from "../../test/sessions/signed-in-exchanges.ts";
import { Refusal } from "../errors/refusal.ts";
import { memoryStore } from "../stores/memory.ts";
import { endIfForbidden } from "./end-session.ts";

describe("what the provider shows of a session", () => {
  test("ends it if the user may not use the app", async () => {
    const { context, ask, events, written } = await signedInExchanges({ store: memoryStore() });
    const exchange = ask();
    for (const cause of [new Error("no"), new Refusal("code_rejected")]) {
      await endIfForbidden(context, exchange, cause);
    }
    expect(await exchange.read()).toMatchObject({ state: "active" });
    await endIfForbidden(context, exchange, new Refusal("organization_mismatch"));
    expect(exchange.current()).toMatchObject({ state: "ended", reason: "elsewhere" });
    expect(await ask().read()).toMatchObject({ state: "ended", reason: "elsewhere" });
    const { id } = written.stored.header;
    const cause = "organization_mismatch";
    expect(events).toEqual([
      { event: "sign-out", reason: "ended", sub: "ada", session: id, cause },
    ]);
  });

  test("ends nothing if there is no session any more", async () => {
    const { context, ask, events } = await signedInExchanges();
    await endIfForbidden(context, ask({}), new Refusal("organization_mismatch"));
    expect(events).toEqual([]);
  });
});
