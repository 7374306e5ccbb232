import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";

import { askWith } from "../../test/handle-request.ts";
import {
  accessTokenType,
  exchangeWorld,
  forMail,
  goodBody,
  mail,
  orders,
} from "../../test/worlds/exchange-world.ts";
import { watchedStore } from "../../test/watched-store.ts";
import { startWorld } from "../../test/worlds/world.ts";
import type { AccessTokenRequest } from "../index.ts";
import { faultsOfOptions } from "../config/option-forms.ts";
import { memoryStore } from "../stores/memory.ts";
import { tokenExchange, type TokenExchangeOptions } from "./index.ts";

const inCookies = { session: { stateful: false }, store: undefined, backchannelLogout: false };

describe("a token for another API on behalf of the user", () => {
  test.each([
    ["audience", { audience: "mail", scopes: ["mail.read"] }, { audience: "mail" }],
    [
      "resource",
      { resource: mail.identifier, scopes: ["mail.read"] },
      { resource: mail.identifier },
    ],
  ])("is exchanged by %s, in the form of RFC 8693 [AP-051]", async (_name, target, sent) => {
    const { tokenFor, calls, ask } = await exchangeWorld();
    const subject = await ask((its) => its.accessToken());
    const token = await tokenFor(target);
    expect(decodeJwt(token)).toMatchObject({ aud: "mail", sub: "person-ada", scope: "mail.read" });
    expect(calls).toEqual([
      {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: subject,
        subject_token_type: accessTokenType,
        requested_token_type: accessTokenType,
        scope: "mail.read",
        ...sent,
      },
    ]);
  });

  test("is exchanged without scopes if the app names none [AP-051]", async () => {
    const { tokenFor, calls } = await exchangeWorld();
    await tokenFor({ resource: orders.identifier });
    expect(calls[0]).not.toHaveProperty("scope");
  });

  test("is exchanged by its scopes in the form of Entra ID [AP-051]", async () => {
    const { tokenFor, calls, ask } = await exchangeWorld({ form: "entra" });
    const subject = await ask((its) => its.accessToken());
    const scopes = mail.scopes.map((each) => `${mail.identifier}/${each}`);
    const scope = scopes.join(" ");
    expect(decodeJwt(await tokenFor({ scopes }))).toMatchObject({ aud: "mail" });
    expect(calls).toEqual([
      {
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: subject,
        requested_token_use: "on_behalf_of",
        scope,
      },
    ]);
  });

  test("is exchanged in a form of the app's own [AP-051]", async () => {
    const { tokenFor, calls } = await exchangeWorld({
      change: ({ issued_token_type: _type, ...body }) => body,
      form: ({ accessToken, audience = "", scopes = [] }) => ({
        grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
        parameters: {
          subject_token: accessToken,
          subject_token_type: accessTokenType,
          audience,
          scope: scopes.join(" "),
        },
      }),
    });
    expect(decodeJwt(await tokenFor(forMail))).toMatchObject({ aud: "mail" });
    expect(calls[0]).not.toHaveProperty("requested_token_type");
  });
});

describe("the tokens of a session [AP-053]", () => {
  test("are exchanged once for each API and set of scopes", async () => {
    const { tokenFor, calls } = await exchangeWorld();
    const read = await tokenFor({ audience: "mail", scopes: ["mail.read", "mail.send"] });
    expect(await tokenFor({ audience: "mail", scopes: ["mail.send", "mail.read"] })).toBe(read);
    expect(calls).toHaveLength(1);
    expect(await tokenFor(forMail)).not.toBe(read);
    const forOrders = await tokenFor({ resource: orders.identifier });
    expect(forOrders).not.toBe(read);
    expect(await tokenFor({ resource: mail.identifier })).not.toBe(forOrders);
    expect(calls).toHaveLength(4);
    expect(await tokenFor({ audience: "mail", scopes: ["mail.read", "mail.send"] })).toBe(read);
    expect(calls).toHaveLength(4);
  });

  test.each([
    ["in the store", {}],
    ["in the cookie", { session: { stateful: false } }],
  ])("serve every instance, if the session is %s", async (_name, options) => {
    const { tokenFor, another, calls } = await exchangeWorld({ options });
    const token = await tokenFor(forMail);
    expect(await tokenFor(forMail, another())).toBe(token);
    expect(calls).toHaveLength(1);
  });

  test("are exchanged by one of several requests at the same moment", async () => {
    const { auth, jar, calls } = await exchangeWorld();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        askWith(auth, jar(), (its) => its.accessToken({ exchange: forMail })),
      ),
    );
    expect(new Set(answers.map(({ made }) => made)).size).toBe(1);
    expect(calls).toHaveLength(1);
  });

  test("are not waited for longer than two time limits, if a runtime has ended their request", async () => {
    let exchanges = 0;
    const { tokenFor } = await exchangeWorld({
      options: {
        httpTimeout: 800,
        fetch(input, init) {
          const isExchange = init.body instanceof URLSearchParams && init.body.has("subject_token");
          if (isExchange && (exchanges += 1) === 1) return new Promise(() => undefined);
          return fetch(input, init);
        },
      },
    });
    void tokenFor(forMail);
    await expect.poll(() => exchanges).toBe(1);
    const start = performance.now();
    await tokenFor(forMail);
    const waitedMs = performance.now() - start;
    expect(exchanges).toBe(2);
    expect(waitedMs).toBeGreaterThan(1500);
    expect(waitedMs).toBeLessThan(5000);
  });

  test("are dropped when the token of the sign-in is refreshed", async () => {
    const { tokenFor, ask, calls } = await exchangeWorld();
    const before = await tokenFor(forMail);
    await ask((its) => its.accessToken({ refresh: true }));
    expect(await ask((its) => its.session?.exchangedTokens)).toBeUndefined();
    expect(await tokenFor(forMail)).not.toBe(before);
    expect(calls).toHaveLength(2);
  });

  test("belong to one user", async () => {
    const { world, auth, tokenFor } = await exchangeWorld();
    const other = await world.signedIn("person-ben");
    const [ofAda, ofGrace] = [
      await tokenFor(forMail),
      await world.handle(other, (its) => its.accessToken({ exchange: forMail }), auth),
    ];
    expect([decodeJwt(ofAda).sub, decodeJwt(ofGrace ?? "").sub]).toEqual([
      "person-ada",
      "person-ben",
    ]);
  });

  test("are exchanged again 10 s before their end", async () => {
    const { world, tokenFor, calls } = await exchangeWorld({
      change: (body) => ({ ...body, expires_in: 100 }),
    });
    const first = await tokenFor(forMail);
    world.advance(85);
    expect(await tokenFor(forMail)).toBe(first);
    world.advance(10);
    expect(await tokenFor(forMail)).not.toBe(first);
    expect(calls).toHaveLength(2);
  });

  test.each([
    ["names a later end", 1_000_000],
    ["names no end", undefined],
    ["sends 0 for no end", 0],
  ])("end with the token of the sign-in if the provider %s", async (_name, expiresIn) => {
    const { tokenFor, ask } = await exchangeWorld({
      change: ({ expires_in: _end, ...body }) =>
        expiresIn === undefined ? body : { ...body, expires_in: expiresIn },
    });
    await tokenFor(forMail);
    const session = await ask((its) => its.session);
    const [exchanged] = Object.values(session?.exchangedTokens ?? {});
    expect(exchanged?.accessTokenExpiresAt).toBe(session?.accessTokenExpiresAt);
  });

  test("are requested anew with `refresh`", async () => {
    const { tokenFor, ask, calls } = await exchangeWorld();
    const first = await tokenFor(forMail);
    const again = await ask((its) => its.accessToken({ exchange: forMail, refresh: true }));
    expect(again).not.toBe(first);
    expect(await tokenFor(forMail)).toBe(again);
    expect(calls).toHaveLength(2);
  });

  test("are eight at most: the one that ends first goes", async () => {
    const { tokenFor, ask } = await exchangeWorld({
      respond: (_form, count) =>
        Response.json({ ...goodBody, access_token: `t${count}`, expires_in: 1000 - count }),
    });
    for (let index = 1; index <= 9; index += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await tokenFor({ audience: `api-${index}` });
    }
    const held = Object.values((await ask((its) => its.session?.exchangedTokens)) ?? {});
    expect(
      held
        .map(({ accessToken }) => accessToken)
        .join(" ")
        .split(" ")
        .toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t9"]);
  });

  test("go when they have ended and another one comes", async () => {
    const { world, tokenFor, ask } = await exchangeWorld({
      respond: (_form, count) => Response.json({ ...goodBody, access_token: `t${count}` }),
    });
    await tokenFor({ audience: "first" });
    world.advance(goodBody.expires_in);
    await tokenFor({ audience: "second" });
    const held = Object.values((await ask((its) => its.session?.exchangedTokens)) ?? {});
    expect(held.map(({ accessToken }) => accessToken)).toEqual(["t2"]);
  });

  test("are used but not kept if they do not fit into the cookies", async () => {
    const { tokenFor, ask, calls } = await exchangeWorld({
      options: inCookies,
      respond: () => Response.json({ ...goodBody, access_token: "x".repeat(40_000) }),
    });
    expect(await tokenFor(forMail)).toHaveLength(40_000);
    expect(await tokenFor(forMail)).toHaveLength(40_000);
    expect(await ask((its) => its.session?.exchangedTokens === undefined)).toBe(true);
    expect(calls).toHaveLength(1);
  });

  test("are used but not kept while the store takes no writes", async () => {
    let isReadOnly = false;
    const store = watchedStore(memoryStore(), (operation) => {
      if (isReadOnly && operation === "swap") throw new Error("the store is read-only");
    });
    const { tokenFor, ask } = await exchangeWorld({
      options: { session: { stateful: true }, store },
    });
    isReadOnly = true;
    expect(decodeJwt(await tokenFor(forMail))).toMatchObject({ aud: "mail" });
    expect(await ask((its) => its.session?.exchangedTokens === undefined)).toBe(true);
  });

  test("are used but not kept if the head of the response leaves meanwhile", async () => {
    const saving = Promise.withResolvers<void>();
    const headSent = Promise.withResolvers<void>();
    let isSlow = false;
    const beforeSave = async <T>(session: T): Promise<T> => {
      if (isSlow) saving.resolve();
      if (isSlow) await headSent.promise;
      return session;
    };
    const { ask } = await exchangeWorld({
      options: { ...inCookies, hooks: { beforeSave } },
    });
    isSlow = true;
    const { asking } = await ask(async (its) => {
      const exchanging = its.accessToken({ exchange: forMail });
      await saving.promise;
      return { asking: exchanging };
    });
    headSent.resolve();
    expect(decodeJwt(await asking)).toMatchObject({ aud: "mail" });
    expect(await ask((its) => its.session?.exchangedTokens === undefined)).toBe(true);
  });

  test("are not given to a handler whose hook beforeSave fails", async () => {
    let isBroken = false;
    const beforeSave = <T>(session: T): T => {
      if (isBroken) throw new Error("the hook is broken");
      return session;
    };
    const { errorOf } = await exchangeWorld({ options: { hooks: { beforeSave } } });
    isBroken = true;
    expect(String(await errorOf({ exchange: forMail }))).toBe("Error: the hook is broken");
  });

  test("are revoked at sign-out", async () => {
    const { world, tokenFor, jar } = await exchangeWorld({
      respond: () => Response.json({ ...goodBody, access_token: "exchanged" }),
    });
    await tokenFor(forMail);
    const cookie = Object.entries(jar())
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
    const url = `${world.baseURL}/api/auth/logout`;
    await world.auth.respond(new Request(url, { headers: { cookie } }), () => new Response());
    await world.auth.close();
    const revoked = world.provider.requests.filter(({ path }) => path.endsWith("/revocation"));
    expect(revoked).toHaveLength(3);
  });
});

describe("a wrong call", () => {
  test.each([
    ["without an API", { exchange: {} }, "needs audience or resource"],
    ["with a misspelt member", { exchange: { scope: "a", audience: "b" } }, "takes an object of"],
    ["with a scope that is no list", { exchange: { audience: "b", scopes: "a" } }, "is a list"],
    [
      "with an audience that is no text",
      { exchange: { audience: 5 } },
      "audience, resource, scopes",
    ],
    ["with a scope that is no text", { exchange: { audience: "b", scopes: [5] } }, "is a list"],
    ["with scopes beside exchange", { exchange: forMail, scopes: ["a"] }, "inside exchange"],
    ["with resource beside exchange", { exchange: forMail, resource: "a" }, "inside exchange"],
    ["with null", { exchange: null }, "takes an object of"],
  ])("%s is refused, and nothing is sent", async (_name, request, why) => {
    const { errorOf, calls } = await exchangeWorld();
    const error = await errorOf(request as AccessTokenRequest);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(why);
    expect(calls).toEqual([]);
  });

  test.each([7, true, "mail"])(
    "with %j is refused in a form of the app's own",
    async (exchange) => {
      const form = () => ({ grantType: "own", parameters: {} });
      const { errorOf } = await exchangeWorld({ form });
      expect(await errorOf({ exchange } as unknown as AccessTokenRequest)).toBeInstanceOf(
        TypeError,
      );
    },
  );

  test.each([
    ["an audience", { audience: "mail", scopes: ["a"] }, "takes scopes only"],
    ["a resource", { resource: "mail", scopes: ["a"] }, "takes scopes only"],
    ["no scopes", {}, "needs scopes"],
  ])("with %s is refused in the form of Entra ID", async (_name, exchange, why) => {
    const { errorOf } = await exchangeWorld({ form: "entra" });
    expect(String(await errorOf({ exchange }))).toContain(why);
  });

  test("without `tokenExchange` in the options names what is missing", async () => {
    const world = await startWorld();
    const browser = await world.signedIn();
    const error = await world.handle(browser, (its) =>
      its.accessToken({ exchange: forMail }).catch(String),
    );
    expect(error).toContain("latchkey/token-exchange");
  });

  test("without a session has the code of a missing session", async () => {
    const { auth, world } = await exchangeWorld({ options: { publicPaths: ["/"] } });
    const error = await world.handle(
      world.browser(),
      (its) => its.accessToken({ exchange: forMail }).catch((thrown: unknown) => thrown),
      auth,
    );
    expect(error).toMatchObject({ code: "ERR_MISSING_SESSION" });
  });

  test.each([undefined, "rfc", "toString"])("with the form %s stops the start", (form) => {
    const { written } = tokenExchange({ form } as TokenExchangeOptions);
    expect(faultsOfOptions(written)).toMatchObject([{ option: "tokenExchange.form" }]);
  });
});
