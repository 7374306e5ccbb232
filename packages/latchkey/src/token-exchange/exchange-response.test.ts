import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";

import { exchangeWorld, forMail, goodBody, mail } from "../../test/worlds/exchange-world.ts";
import { startWorld } from "../../test/worlds/world.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { tokenExchange } from "./index.ts";

describe("the response of the provider [AP-052]", () => {
  test.each([
    ["an access token of type JWT", { issued_token_type: "urn:ietf:params:oauth:token-type:jwt" }],
    ["a token type in small letters", { token_type: "bearer" }],
    ["all scopes that were requested", { scope: "mail.send mail.read" }],
  ])("is accepted with %s", async (_name, changes) => {
    const { tokenFor } = await exchangeWorld({
      respond: () => Response.json({ ...goodBody, ...changes }),
    });
    expect(await tokenFor(forMail)).toBe("exchanged");
  });

  const idToken = "urn:ietf:params:oauth:token-type:id_token";
  test.each([
    ["without `issued_token_type`", { issued_token_type: undefined }, "issued_token_type is miss"],
    ["with an ID token", { issued_token_type: idToken }, "not an access token"],
    ["with the token type `N_A`", { token_type: "N_A" }, "N_A"],
    ["with the token type `DPoP`", { token_type: "DPoP" }, "DPoP"],
    ["without a token type", { token_type: undefined }, "token_type"],
    ["without a token", { access_token: "" }, "access_token"],
  ])("is refused %s", async (_name, changes, why) => {
    const { errorOf } = await exchangeWorld({
      respond: () => Response.json({ ...goodBody, ...changes }),
    });
    const error = await errorOf({ exchange: forMail });
    expect(error).toBeInstanceOf(AccessTokenError);
    expect(error).toMatchObject({
      code: "ERR_TOKEN_EXCHANGE",
      message: expect.stringContaining(why),
      retryAfterSeconds: undefined,
    });
  });

  test("is refused if it returns the token of the sign-in, which is not passed on [AP-050]", async () => {
    const { errorOf } = await exchangeWorld({
      respond: ({ subject_token: subject }) =>
        Response.json({ ...goodBody, access_token: subject }),
    });
    expect(await errorOf({ exchange: forMail })).toMatchObject({
      code: "ERR_TOKEN_EXCHANGE",
      message: expect.stringContaining("returned the token that was to be exchanged"),
    });
  });

  test("is refused without scopes that were requested", async () => {
    const { errorOf, ask } = await exchangeWorld({
      respond: () => Response.json({ ...goodBody, scope: "mail.send" }),
    });
    const scopes = ["mail.read", "mail.send", "mail.list"];
    expect(await errorOf({ exchange: { audience: "mail", scopes } })).toMatchObject({
      code: "ERR_INSUFFICIENT_SCOPE",
      message: expect.stringContaining('without the scopes "mail.read mail.list".'),
    });
    expect(await ask((its) => its.session?.exchangedTokens)).toBeUndefined();
  });

  test.each([
    ["in full", "https://graph.example/Mail.Read"],
    ["without the address of the API", "mail.read"],
    ["among others", "User.Read Mail.Read"],
  ])("of Entra ID names the scope %s", async (_name, scope) => {
    const { tokenFor } = await exchangeWorld({
      form: "entra",
      respond: () => Response.json({ ...goodBody, issued_token_type: undefined, scope }),
    });
    expect(await tokenFor({ scopes: ["https://graph.example/Mail.Read"] })).toBe("exchanged");
  });

  test.each([
    ["another scope", "https://graph.example/Mail.Send", "ERR_INSUFFICIENT_SCOPE"],
    ["all scopes", "https://graph.example/.default", undefined],
  ])("of Entra ID is judged for %s", async (_name, requested, code) => {
    const { errorOf } = await exchangeWorld({
      form: "entra",
      respond: () => Response.json({ ...goodBody, scope: "Mail.Read" }),
    });
    const result = await errorOf({ exchange: { scopes: [requested] } });
    expect(result instanceof AccessTokenError ? result.code : undefined).toBe(code);
  });
});

describe("an error of the provider [AP-054]", () => {
  test.each([
    ["invalid_target", "must know this audience"],
    ["invalid_scope", "must have these scopes"],
    ["unauthorized_client", "Allow token exchange for this client"],
    ["unsupported_grant_type", "set another form"],
    ["invalid_request", "Check the form"],
    ["something_else", "at the provider: something_else"],
  ])("%s is a fault of the settings, and never means another sign-in", async (error, remedy) => {
    const { errorOf, world } = await exchangeWorld({
      respond: () => Response.json({ error }, { status: 400 }),
    });
    const thrown = await errorOf({ exchange: forMail });
    expect(thrown).toMatchObject({
      code: error === "invalid_target" ? "ERR_INVALID_TARGET" : "ERR_TOKEN_EXCHANGE",
      message: expect.stringContaining(remedy),
      needsSignIn: false,
      retryAfterSeconds: undefined,
    });
    expect(String(thrown)).toContain("mail");
    expect(String(thrown)).not.toMatch(/sign in again|undefined/);
    const logged = world.events.filter(({ event }) => event === "provider-fault");
    expect(logged).toEqual([expect.objectContaining({ detail: expect.stringContaining(remedy) })]);
  });

  test("with status 500 passes by itself", async () => {
    const { errorOf } = await exchangeWorld({ respond: () => new Response("", { status: 500 }) });
    expect(await errorOf({ exchange: forMail })).toMatchObject({
      code: "ERR_TOKEN_EXCHANGE",
      retryAfterSeconds: 1,
    });
  });

  test("is not remembered", async () => {
    const { errorOf, tokenFor } = await exchangeWorld({
      respond: (_form, count) =>
        count === 1 ? Response.json({ error: "invalid_target" }, { status: 400 }) : undefined,
    });
    expect(await errorOf({ exchange: forMail })).toBeInstanceOf(AccessTokenError);
    expect(decodeJwt(await tokenFor(forMail))).toMatchObject({ aud: "mail" });
  });

  test.each([
    ["with claims", { claims: '{"access_token":{}}' }, '{"access_token":{}}'],
    ["without claims", {}, undefined],
    ["with claims that are no text", { claims: { access_token: {} } }, undefined],
    ["with claims that are too long", { claims: "x".repeat(2001) }, undefined],
    ["with the longest claims", { claims: "x".repeat(2000) }, "x".repeat(2000)],
  ])("interaction_required %s has a code of its own", async (_name, body, claims) => {
    const { errorOf } = await exchangeWorld({
      respond: () => Response.json({ error: "interaction_required", ...body }, { status: 400 }),
    });
    const thrown = await errorOf({ exchange: forMail });
    expect(thrown).toMatchObject({
      code: "ERR_INTERACTION_REQUIRED",
      message: expect.stringContaining("to sign in again before it gives a token for mail."),
      needsSignIn: false,
    });
    expect((thrown as AccessTokenError).claims).toBe(claims);
  });

  test("invalid_grant leads to one refresh and another exchange", async () => {
    const { tokenFor, calls } = await exchangeWorld({
      respond: (_form, count) =>
        count === 1 ? Response.json({ error: "invalid_grant" }, { status: 400 }) : undefined,
    });
    expect(decodeJwt(await tokenFor(forMail))).toMatchObject({ aud: "mail" });
    expect(calls).toHaveLength(2);
    expect(calls[0]?.["subject_token"]).not.toBe(calls[1]?.["subject_token"]);
  });

  test.each([
    ["after a refresh", "openid offline_access", {}, 2],
    ["without a refresh token", "openid", { refreshTokens: false }, 1],
  ])("invalid_grant %s means another sign-in", async (_name, scope, client, count) => {
    const calls: string[] = [];
    const world = await startWorld({
      provider: { client, resources: [mail] },
      options: {
        scope,
        async fetch(input, init) {
          const body = init.body instanceof URLSearchParams ? init.body : new URLSearchParams();
          if (!body.has("subject_token")) return fetch(input, init);
          calls.push(input);
          return Response.json({ error: "invalid_grant" }, { status: 400 });
        },
        tokenExchange: tokenExchange({ form: "rfc8693" }),
      },
    });
    const browser = await world.signedIn();
    const thrown = await world.handle(browser, (its) =>
      its.accessToken({ exchange: forMail }).catch((error: unknown) => error),
    );
    expect(thrown).toMatchObject({ code: "ERR_EXPIRED_ACCESS_TOKEN", needsSignIn: true });
    expect(String(thrown)).toContain("sign in again");
    expect(calls).toHaveLength(count);
  });
});
