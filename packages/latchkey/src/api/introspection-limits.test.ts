import { describe, expect, test } from "vitest";

import { startSeconds } from "../../test/api/api-app.ts";
import { createIntrospectingApp, good } from "../../test/api/introspecting-app.ts";

describe("strangers, and a busy provider", () => {
  test("while unknown tokens have used up their questions, they get 503, and known ones are asked about", async () => {
    const world = await createIntrospectingApp();
    const { app, asked } = world;
    await app.call({ token: "opaque" });
    world.answer = () => Response.json({ active: false });
    const statuses = new Set<number>();
    for (let nth = 0; nth < 300; nth += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      statuses.add((await app.call({ token: `random${nth}` })).status);
    }
    expect(statuses).toEqual(new Set([401, 503]));
    const refused = await app.call({ token: "another" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    world.answer = () => Response.json(good);
    app.clock.seconds = 30;
    const { length } = asked;
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 200 });
    expect(asked).toHaveLength(length + 1);
    expect(await app.call({ token: "another" })).toMatchObject({ status: 200 });
  });

  test("good tokens use up no questions", async () => {
    const { app } = await createIntrospectingApp();
    for (let nth = 0; nth < 150; nth += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await app.call({ token: `good${nth}` })).toMatchObject({ status: 200 });
    }
  });

  test("answers count one minute longer while the provider is busy, for callers that it knew", async () => {
    const world = await createIntrospectingApp();
    const { app, asked } = world;
    await app.call({ token: "opaque" });
    world.answer = () => new Response(null, { status: 429, headers: { "retry-after": "600" } });
    expect(await app.call({ token: "unknown" })).toMatchObject({ status: 503 });
    for (const [seconds, status] of [
      [30, 200],
      [89, 200],
      [90, 503],
    ] as const) {
      app.clock.seconds = seconds;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await app.call({ token: "opaque" })).toMatchObject({ status });
    }
    expect(asked).toHaveLength(2);
  });

  test("they do not for a token that has ended, or is not active any more", async () => {
    const world = await createIntrospectingApp({}, () =>
      Response.json({ ...good, exp: startSeconds + 40 }),
    );
    const { app } = world;
    await app.call({ token: "ending" });
    await app.call({ token: "revoked" });
    world.answer = () => Response.json({ active: false });
    app.clock.seconds = 31;
    expect(await app.call({ token: "revoked" })).toMatchObject({ status: 401 });
    world.answer = () => new Response(null, { status: 429 });
    app.clock.seconds = 37;
    expect(await app.call({ token: "revoked" })).toMatchObject({ status: 503 });
    expect(await app.call({ token: "ending" })).toMatchObject({ status: 200 });
    app.clock.seconds = 41;
    expect(await app.call({ token: "ending" })).toMatchObject({ status: 503 });
  });

  test("with cacheSeconds 0 no answer counts, also while the provider is busy", async () => {
    const world = await createIntrospectingApp({ cacheSeconds: 0 });
    await world.app.call({ token: "opaque" });
    world.answer = () => new Response(null, { status: 429 });
    expect(await world.app.call({ token: "opaque" })).toMatchObject({ status: 503 });
  });

  test("claims are frozen, since requests share them", async () => {
    const { app } = await createIntrospectingApp({}, () =>
      Response.json({ ...good, realm: { roles: ["user"] } }),
    );
    const grant = (claims: unknown) =>
      (claims as { realm: { roles: string[] } }).realm.roles.push("admin");
    const read = async () => (await app.call({ token: "opaque" }, (here) => here.claims)).made;
    const claims = await read();
    expect(() => grant(claims)).toThrow(TypeError);
    expect(await read()).toMatchObject({ realm: { roles: ["user"] } });
  });
});
