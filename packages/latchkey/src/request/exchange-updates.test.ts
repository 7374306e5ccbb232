import { describe, expect, test } from "vitest";

import { type Jar, jarAfter } from "../../test/browser/cookie-jar.ts";
import {
  type SignedInExchanges,
  signedInExchanges,
} from "../../test/sessions/signed-in-exchanges.ts";
import type { Options } from "../host/auth.ts";
import { setCookiesIn } from "../http/headers.ts";
import { memoryStore } from "../stores/memory.ts";
import { touchSession, updateSession } from "./save-session.ts";
import { signOut } from "../ends/sign-out.ts";

/**
 * A request that has begun, and an update in another one, which has ended: what the browser then
 * has.
 */
async function updatedMeanwhile(options: Partial<Options> = {}, more: object = {}) {
  const app = await signedInExchanges(options);
  const older = app.ask();
  await older.use();
  const own = app.ask();
  await updateSession(app.context, own, (data) => ({ ...data, ...more, theme: "dark" }));
  const before = jarAfter(app.written.setCookies);
  return { app, older, jar: jarAfter(setCookiesIn(own.commit()), before) };
}

async function themeIn(app: SignedInExchanges, jar: Jar): Promise<unknown> {
  const result = await app.ask(jar).read();
  return result.state === "active" ? result.stored.data["theme"] : result.state;
}

describe("a session in the cookie updated lately", () => {
  test("is not renewed by a request begun before the update, nor by one with the former cookie", async () => {
    const { app, older } = await updatedMeanwhile();
    const former = app.ask();
    await former.use();
    for (const exchange of [older, former]) expect(setCookiesIn(exchange.commit())).toEqual([]);
  });

  test("is not brought back by an older request that touches the session", async () => {
    const { app, older } = await updatedMeanwhile();
    await touchSession(app.context, older);
    expect(setCookiesIn(older.commit())).toEqual([]);
  });

  test("is not brought back if the update made it too large for a cookie", async () => {
    const store = memoryStore();
    const { older, jar } = await updatedMeanwhile({ store }, { about: "x".repeat(20_000) });
    expect(Object.values(jar).join("").length).toBeLessThan(500);
    expect(setCookiesIn(older.commit())).toEqual([]);
  });

  test("is renewed by the next request, with what it was updated to", async () => {
    const { app, jar } = await updatedMeanwhile();
    const next = app.ask(jar);
    await next.use();
    const renewed = setCookiesIn(next.commit());
    expect(renewed).toHaveLength(1);
    expect(await themeIn(app, jarAfter(renewed, jar))).toBe("dark");
  });

  test("is renewed by a browser without the update, from a minute later on", async () => {
    const { app } = await updatedMeanwhile();
    app.advance(60);
    const former = app.ask();
    await former.use();
    expect(setCookiesIn(former.commit())).toHaveLength(1);
  });

  test("has the data of the last of two updates, whichever began first", async () => {
    const { app, older, jar } = await updatedMeanwhile();
    await updateSession(app.context, older, (data) => ({ ...data, theme: "light" }));
    expect(await themeIn(app, jarAfter(setCookiesIn(older.commit()), jar))).toBe("light");
  });
});

test("a session in the store is renewed by a request begun before an update, and keeps the update", async () => {
  const options = { store: memoryStore(), session: { stateful: true } };
  const { app, older, jar } = await updatedMeanwhile(options);
  const renewed = setCookiesIn(older.commit());
  expect(renewed).toHaveLength(1);
  expect(await themeIn(app, jarAfter(renewed, jar))).toBe("dark");
});

describe.each<[string, Partial<Options>]>([
  ["in the cookie", {}],
  ["in the cookie, with a store", { store: memoryStore() }],
  ["in the store", { store: memoryStore(), session: { stateful: true } }],
])("a session %s that this process has ended", (_, options) => {
  async function renewalDue() {
    const app = await signedInExchanges(options);
    app.advance(600);
    const older = app.ask();
    await older.use();
    return { app, older };
  }

  test("is not brought back by a request begun before, be it by a renewal or by an update", async () => {
    const { app, older } = await renewalDue();
    const written: unknown[] = [];
    const updating = app.ask(undefined, { changes: { write: (lines) => written.push(lines) } });
    await updating.use();
    const ending = app.ask();
    await signOut(app.context, ending);
    expect(setCookiesIn(ending.commit())).toHaveLength(1);
    await updateSession(app.context, updating, (data) => ({ ...data, theme: "dark" }));
    expect(setCookiesIn(older.commit())).toEqual([]);
    expect(JSON.stringify([written, updating.commit()])).not.toMatch(/appSession=[^;]/);
  });

  test("does not clear the new session when another tab still sends the old cookie", async () => {
    const { app } = await renewalDue();
    await app.context.sessions.end(app.written.stored, "replaced");
    const late = app.ask();
    await late.use();
    expect(setCookiesIn(late.commit())).toEqual([]);
  });
});
