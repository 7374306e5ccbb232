import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";

import { audience, createApiApp, startSeconds } from "../../test/api/api-app.ts";
import { createIntrospectingApp, good } from "../../test/api/introspecting-app.ts";
import type { Members } from "../../test/api/issuer.ts";

async function statusFor(members: Members): Promise<number> {
  const { app } = await createIntrospectingApp({}, () => Response.json({ ...good, ...members }));
  return (await app.call({ token: "opaque" })).status;
}

test("an active token counts, with what the provider says of it [AP-014]", async () => {
  const { app, asked } = await createIntrospectingApp();
  const { status, made } = await app.call({ token: "opaque" }, (here) => [
    here.claims?.sub,
    here.scopes,
    here.client,
    here.session?.times.endsAt,
  ]);
  expect([status, made]).toEqual([200, ["ada", ["read", "write"], "robot", startSeconds + 300]]);
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
    token: "opaque",
    token_type_hint: "access_token",
  });
});

test("introspection true is the same as an object without members", async () => {
  const app = await createApiApp({ introspection: true });
  app.issuer.answers.set("/introspect", () => Response.json(good));
  expect(await app.call({ token: "opaque" })).toMatchObject({ status: 200 });
});

test("an error with the status 200 is no answer, so the token is not refused", async () => {
  const { app } = await createIntrospectingApp({}, () =>
    Response.json({ error: "invalid_client" }),
  );
  expect(await app.call({ token: "opaque" })).toMatchObject({ status: 503 });
});

describe("what the endpoint says is judged here [AP-014]", () => {
  test.each([
    { active: false },
    { active: "true" },
    { active: 1 },
    { active: undefined },
    { exp: startSeconds - 30 },
    { exp: "later" },
    { nbf: startSeconds + 31 },
    { iat: startSeconds + 31 },
    { iss: "https://other.example" },
    { aud: undefined },
    { aud: null },
    { sub: null },
    { active: null },
    { token_type: "DPoP", cnf: null },
    { scope: ["read write"] },
    { aud: "https://other.example" },
    { aud: [] },
    { token_type: "refresh_token" },
    { token_type: "N_A" },
    { token_type: 7 },
    { token_type: ["Bearer"] },
    { token_type: "not-bearer" },
    { token_type: "bearer_refresh" },
    { token_type: "DPoP" },
    { token_type: "dpop", cnf: undefined },
    { typ: "Refresh" },
    { token_use: "refresh_token" },
    { nonce: "of an ID token" },
    { nonce: null },
    { at_hash: null },
    { events: null },
    { token_introspection: null },
    { sub: undefined },
    { cnf: { "x5t#S256": "abc" } },
    { cnf: { jkt: "abc" } },
    { scope: 7 },
    { client_id: "one", azp: "two" },
  ])("%j is refused", async (members) => {
    expect(await statusFor(members)).toBe(401);
  });

  test.each([
    { exp: undefined },
    { exp: startSeconds - 29 },
    { iss: undefined },
    { aud: ["https://other.example", audience] },
    { token_type: undefined },
    { token_type: "bearer" },
    { token_type: "access_token" },
    { client_id: undefined },
    { scope: ["read", "write"] },
    { exp: null, nbf: null, iss: null, cnf: null, scope: null, token_type: null, client_id: null },
    { token_use: null, typ: null, jti: null, act: null },
  ])("%j is accepted", async (members) => {
    expect(await statusFor(members)).toBe(200);
  });
});

test("an answer without a time is good for half a minute", async () => {
  const { app } = await createIntrospectingApp({}, () =>
    Response.json({ ...good, exp: undefined }),
  );
  const { made } = await app.call({ token: "opaque" }, (here) => here.session?.times.endsAt);
  expect(made).toBe(startSeconds + 30);
});

describe("answers are kept for a short time [AP-015]", () => {
  test("for thirty seconds, by token", async () => {
    const { app, asked } = await createIntrospectingApp();
    for (const seconds of [0, 29]) {
      app.clock.seconds = seconds;
      expect(await app.call({ token: "opaque" })).toMatchObject({ status: 200 });
    }
    expect(asked).toHaveLength(1);
    await app.call({ token: "another" });
    expect(asked).toHaveLength(2);
    app.clock.seconds = 30;
    await app.call({ token: "opaque" });
    expect(asked).toHaveLength(3);
  });

  test("for the configured time, also none at all", async () => {
    const { app, asked } = await createIntrospectingApp({ cacheSeconds: 0 });
    await app.call({ token: "opaque" });
    await app.call({ token: "opaque" });
    expect(asked).toHaveLength(2);
  });

  test("never longer than the token", async () => {
    const world = await createIntrospectingApp({}, () =>
      Response.json({ ...good, exp: startSeconds + 5 }),
    );
    const { app, asked } = world;
    for (const seconds of [0, 4]) {
      app.clock.seconds = seconds;
      expect(await app.call({ token: "opaque" })).toMatchObject({ status: 200 });
    }
    expect(asked).toHaveLength(1);
    world.answer = () => Response.json({ active: false });
    app.clock.seconds = 5;
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 401 });
    expect(asked).toHaveLength(2);
  });

  test("and a token beyond its end, which the provider calls active, for half a minute", async () => {
    const { app } = await createIntrospectingApp({}, () =>
      Response.json({ ...good, exp: startSeconds - 20 }),
    );
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 200 });
    app.clock.seconds = 10;
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 401 });
  });

  test("an inactive token for five seconds", async () => {
    const { app, asked } = await createIntrospectingApp({}, () => Response.json({ active: false }));
    for (const seconds of [0, 4, 5]) {
      app.clock.seconds = seconds;
      expect(await app.call({ token: "opaque" })).toMatchObject({
        status: 401,
        body: { description: "The access token is not active." },
      });
    }
    expect(asked).toHaveLength(2);
  });

  test("random tokens do not push out a good one", async () => {
    const world = await createIntrospectingApp();
    const { app, asked } = world;
    await app.call({ token: "opaque" });
    world.answer = () => Response.json({ active: false });
    for (let nth = 0; nth < 1500; nth += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await app.call({ token: `random${nth}` });
    }
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 200 });
    // A hundred at once, and ten more in each second that passes.
    expect(asked.length).toBeLessThan(1000);
    world.answer = () => Response.json(good);
    app.clock.seconds = 29;
    const { length } = asked;
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 200 });
    expect(asked).toHaveLength(length);
  });

  test("requests at once with one token cause one introspection, and each gets its answer [AP-018]", async () => {
    for (const [active, status] of [
      [true, 200],
      [false, 401],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { app, asked } = await createIntrospectingApp({}, async () => {
        await pause(50);
        return Response.json({ ...good, active });
      });
      const calls = Array.from({ length: 20 }, () => app.call({ token: "opaque" }));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const statuses = (await Promise.all(calls)).map((each) => each.status);
      expect([statuses, asked.length]).toEqual([Array(20).fill(status), 1]);
    }
  });

  test("a request does not wait long for the answer to another one", async () => {
    const answers = Promise.withResolvers<Response>();
    const world = await createIntrospectingApp({}, () => answers.promise);
    const hanging = world.app.call({ token: "opaque" });
    await vi.waitFor(() => expect(world.asked).toHaveLength(1));
    world.answer = () => Response.json(good);
    expect(await world.app.call({ token: "opaque" })).toMatchObject({ status: 200 });
    answers.resolve(Response.json(good));
    expect(await hanging).toMatchObject({ status: 200 });
  });

  test("a failure is not kept", async () => {
    const world = await createIntrospectingApp({}, () => new Response(null, { status: 500 }));
    expect(await world.app.call({ token: "opaque" })).toMatchObject({ status: 503 });
    world.answer = () => Response.json(good);
    expect(await world.app.call({ token: "opaque" })).toMatchObject({ status: 200 });
  });
});

describe("without a usable answer a caller gets 503 [AP-016]", () => {
  test.each<[string, () => Response | Promise<Response>, string]>([
    ["an endpoint that is down", () => Promise.reject(new TypeError("down")), "introspect: "],
    ["status 500", () => new Response(null, { status: 500 }), "responded with 500"],
    ["status 401", () => new Response(null, { status: 401 }), "check the credentials in api"],
    ["status 400", () => Response.json(good, { status: 400 }), "check the credentials in api"],
    ["no JSON", () => new Response("active"), "not a JSON object"],
    ["a list", () => Response.json([good]), "not a JSON object"],
    ["repeated names", () => new Response('{"active":false,"active":true}'), "not a JSON object"],
  ])("for %s, and the log says why", async (_, answer, detail) => {
    const { app } = await createIntrospectingApp({}, answer);
    const { status, challenge, headers } = await app.call({ token: "opaque" });
    expect([status, challenge]).toEqual([503, null]);
    expect(headers.get("retry-after")).not.toBeNull();
    expect(JSON.stringify(app.events)).toContain(detail);
    expect(JSON.stringify(app.events)).not.toContain("client-secret");
  });

  test("a provider without such an endpoint is named", async () => {
    const app = await createApiApp({ introspection: true });
    const { issuer } = app;
    const metadata = { issuer: issuer.issuer, jwks_uri: `${issuer.issuer}/keys` };
    const endpoints = {
      authorization_endpoint: `${issuer.issuer}/a`,
      token_endpoint: `${issuer.issuer}/t`,
    };
    issuer.answers.set("/openid-configuration", () => Response.json({ ...metadata, ...endpoints }));
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 503 });
    expect(JSON.stringify(app.events)).toContain("set api.introspection.endpoint");
  });
});

describe("the client that asks", () => {
  test("is that of the sign-in by default", async () => {
    const sent: (string | undefined)[] = [];
    const app = await createApiApp(
      { introspection: true },
      {
        fetch: async (address, init) => {
          const { authorization } = init.headers as Readonly<Record<string, string>>;
          if (init.method === "POST") sent.push(authorization);
          return init.method === "POST" ? Response.json(good) : app.issuer.fetch(address, init);
        },
      },
    );
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 200 });
    expect(sent).toEqual([`Basic ${btoa("client:client-secret")}`]);
  });

  test("may be one of the API, at an endpoint of its own", async () => {
    const sent: { address: string; authorization: string | undefined }[] = [];
    const introspection = {
      endpoint: "https://op.example/own-endpoint",
      clientID: "the-api",
      clientSecret: "its secret",
    };
    const app = await createApiApp(
      { introspection },
      {
        fetch: async (address, init) => {
          const { authorization } = init.headers as Readonly<Record<string, string>>;
          if (init.method === "POST") sent.push({ address, authorization });
          return init.method === "POST" ? Response.json(good) : app.issuer.fetch(address, init);
        },
      },
    );
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 200 });
    expect(sent).toEqual([
      { address: introspection.endpoint, authorization: `Basic ${btoa("the-api:its+secret")}` },
    ]);
  });
});

describe("JWTs beside opaque tokens", () => {
  test("with tokens opaque a JWT is checked here, and never asked about", async () => {
    const { app, asked } = await createIntrospectingApp({ tokens: "opaque" });
    expect(await app.call({ token: await app.token() })).toMatchObject({ status: 200 });
    expect(await app.call({ token: await app.token({ aud: "x" }) })).toMatchObject({ status: 401 });
    expect(asked).toHaveLength(0);
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 200 });
    expect(asked).toHaveLength(1);
  });

  test("by default each token is asked about", async () => {
    const { app, asked } = await createIntrospectingApp();
    await app.call({ token: await app.token() });
    expect(asked).toHaveLength(1);
  });

  test("at most 64 tokens are asked about at once, and more get 503 [AP-018]", async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const { app, asked } = await createIntrospectingApp({}, async () => {
      await end;
      return Response.json({ active: false });
    });
    const calls = Array.from({ length: 70 }, (_, nth) => app.call({ token: `random${nth}` }));
    const all = Promise.all(calls);
    const late = await Promise.all(calls.slice(64));
    expect([asked.length, late.map(({ status }) => status)]).toEqual([64, Array(6).fill(503)]);
    resolve();
    expect((await all).slice(0, 64).map(({ status }) => status)).toEqual(Array(64).fill(401));
  });

  test("malformed credentials never leave the process [AP-018]", async () => {
    const { app, asked } = await createIntrospectingApp();
    for (const authorization of [
      "Bearer",
      "Bearer a b",
      "Bearer ü",
      `Bearer ${"x".repeat(16_400)}`,
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await app.call({ headers: { authorization } })).toMatchObject({ status: 400 });
    }
    expect(asked).toHaveLength(0);
  });
});
