import { decodeJwt } from "jose";
import { expect, test } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import { admittedBy, requestTo } from "../../test/api/admitted.ts";
import { exchangeWorld, forMail, goodBody, orders } from "../../test/worlds/exchange-world.ts";
import { type AccessTokenRequest, createAuth, type LogEvent, type Options } from "../index.ts";
import { signedInExchanges } from "../../test/sessions/signed-in-exchanges.ts";
import { goodSettings } from "../../test/settings.ts";
import { metadataOf } from "../../test/worlds/quick-provider.ts";
import { exchangeCallerToken } from "./exchange-caller-token.ts";
import { principalOfToken } from "./principal-of-token.ts";
import { tokenExchange } from "../token-exchange/index.ts";
import type { TokenExchange } from "../oidc/token-exchange.ts";
import { api } from "./index.ts";

const forOrders = { resource: orders.identifier };
const withExchange = { tokenExchange: tokenExchange({ form: "rfc8693" }) };

/** An API for mail, with a token of one of its callers. */
async function mailAPI(options: Partial<Options> = withExchange, respond?: () => Response) {
  const isOfCaller = { now: false };
  const { world, calls, tokenFor } = await exchangeWorld({
    respond: () => (isOfCaller.now ? respond?.() : undefined),
  });
  const token = await tokenFor(forMail);
  isOfCaller.now = true;
  calls.length = 0;
  const events: LogEvent[] = [];
  const auth = createAuth({
    ...world.options,
    api: api({ audience: "mail" }),
    log: (event) => events.push(event),
    ...options,
  });
  const headers = { authorization: `Bearer ${token}` };
  const admitted = () => admittedBy({ auth }, requestTo("/api/mail", headers));
  /** What was logged of the provider. */
  const faults = () => events.filter(({ event }) => event === "provider-fault");
  const refusals = () => events.filter(({ event }) => event === "refusal");
  async function accessToken(request?: AccessTokenRequest) {
    const sent = new Request(`${world.baseURL}/api/mail`, { headers });
    const { made, response } = await handleRequest(auth, sent, (its) =>
      its.accessToken(request).catch((error: unknown) => error),
    );
    return { made, response };
  }
  return { token, calls, accessToken, admitted, faults, refusals };
}

test("the token of a caller is exchanged for one of another API, once for each API", async () => {
  const { token, calls, accessToken } = await mailAPI();
  const { made, response } = await accessToken({ exchange: forOrders });
  expect(decodeJwt(String(made))).toMatchObject({ aud: orders.identifier, sub: "person-ada" });
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(calls).toMatchObject([{ subject_token: token, resource: orders.identifier }]);
  expect((await accessToken({ exchange: forOrders })).made).toBe(made);
  expect(calls).toHaveLength(1);
  await accessToken({ exchange: { resource: orders.identifier, scopes: ["orders.read"] } });
  expect(calls).toHaveLength(2);
});

test("a caller has no token of its own to pass on: accessToken() without exchange needs a session", async () => {
  const { calls, accessToken } = await mailAPI();
  expect((await accessToken()).made).toMatchObject({ code: "ERR_SESSION_REQUIRED" });
  expect(calls).toEqual([]);
});

test("without tokenExchange in the options, the exchange of a caller's token names the setting", async () => {
  const { accessToken } = await mailAPI({});
  expect((await accessToken({ exchange: forOrders })).made).toEqual(
    expect.objectContaining({ message: expect.stringContaining("tokenExchange(") as string }),
  );
});

test("a caller's token that the provider does not accept any more is refused as invalid_token", async () => {
  const { accessToken, faults } = await mailAPI(withExchange, () =>
    Response.json({ error: "invalid_grant" }, { status: 400 }),
  );
  expect((await accessToken({ exchange: forOrders })).made).toMatchObject({
    code: "ERR_TOKEN_REFUSED",
    error: "invalid_token",
    message: "The access token is no longer valid.",
  });
  expect(faults()).toEqual([]);
});

test("a caller's token that the provider does not accept any more is in the log", async () => {
  const { admitted, refusals } = await mailAPI(withExchange, () =>
    Response.json({ error: "invalid_grant" }, { status: 400 }),
  );
  const { auth, recover } = await admitted();
  const error = await auth.accessToken({ exchange: forOrders }).catch((each: unknown) => each);
  expect((await recover(error))?.status).toBe(401);
  expect(refusals()).toMatchObject([
    {
      reason: "access_token_refused",
      detail: expect.stringContaining("the provider refused to exchange it") as string,
    },
  ]);
});

const refusedTarget = () => Response.json({ error: "invalid_target" }, { status: 400 });
const busy = () => new Response(null, { status: 503 });

test.each([
  ["an unknown target", refusedTarget, "ERR_INVALID_TARGET", "target_refused", null],
  ["an outage", busy, "ERR_TOKEN_EXCHANGE", "provider_busy", 503],
] as const)(
  "the exchange of a caller's token passes on %s at the provider, and logs it once",
  async (_name, respond, code, reason, status) => {
    const { admitted, faults } = await mailAPI(withExchange, respond);
    const { auth, onRefused, recover } = await admitted();
    const refused: unknown[] = [];
    onRefused((error) => refused.push(error));
    const error = await auth.accessToken({ exchange: forOrders }).catch((each: unknown) => each);
    expect(error).toMatchObject({ code });
    expect(refused).toEqual([error]);
    const detail = (error as Error).message;
    expect(faults()).toEqual([{ event: "provider-fault", reason, detail }]);
    expect((await recover(error))?.status ?? null).toBe(status);
  },
);

test("scopes that the exchange of a caller's token did not bring are passed on, and are no fault of the provider", async () => {
  const { accessToken, faults } = await mailAPI(withExchange, () =>
    Response.json({ ...goodBody, scope: "other" }),
  );
  const exchange = { ...forOrders, scopes: ["orders.read"] };
  expect((await accessToken({ exchange })).made).toMatchObject({ code: "ERR_INSUFFICIENT_SCOPE" });
  expect(faults()).toEqual([]);
});

test("a caller's token is exchanged anew with refresh", async () => {
  const { calls, accessToken } = await mailAPI();
  await accessToken({ exchange: forOrders });
  await accessToken({ exchange: forOrders, refresh: true });
  expect(calls).toHaveLength(2);
});

test.each([
  ["its own", "two"],
  ["none of them", "app-id"],
])("of two clients at one provider, %s in aud chooses who exchanges [MX-064]", async (_, aud) => {
  const clients: unknown[] = [];
  const { issuerBaseURL } = goodSettings;
  const { context } = await signedInExchanges({
    identity: "issuer+sub",
    connections: { two: { issuerBaseURL, clientID: "two", clientSecret: "secret-of-two" } },
  });
  const tokenFor: TokenExchange["tokenFor"] = async (_runtime, { connection }) => {
    clients.push(connection.clientID);
    return "a-token";
  };
  const token = {
    claims: { sub: "ada", aud: ["mail", aud] },
    issuer: issuerBaseURL,
    scopes: [],
    client: null,
    expiresAt: 2 ** 40,
    boundKey: undefined,
  };
  const presented = { principal: principalOfToken(token), sent: "a-token" };
  await exchangeCallerToken({ ...context, tokenExchange: { tokenFor } }, presented, {
    exchange: forOrders,
  });
  expect(clients).toEqual([aud === "two" ? "two" : goodSettings.clientID]);
});

test("a caller's token of another issuer never leaves for the provider", async () => {
  const calls: string[] = [];
  const fetch = async (address: string) => {
    calls.push(new URL(address).pathname);
    return Response.json(metadataOf(goodSettings.issuerBaseURL));
  };
  const { context } = await signedInExchanges({ ...withExchange, fetch });
  const { issuerBaseURL } = context.config;
  const token = {
    claims: { sub: "ada" },
    scopes: [],
    client: null,
    expiresAt: 2 ** 40,
    boundKey: undefined,
  };
  const exchangeOf = (issuer: string) =>
    exchangeCallerToken(
      context,
      { principal: principalOfToken({ ...token, issuer }), sent: "a-token" },
      { exchange: forOrders },
    ).catch((error: unknown) => error);
  expect(await exchangeOf("https://other.example")).toMatchObject({
    code: "ERR_TOKEN_EXCHANGE",
    message: expect.stringContaining("LATCHKEY_ISSUER_BASE_URL"),
  });
  expect(calls.filter((each) => !each.startsWith("/.well-known/"))).toEqual([]);
  await exchangeOf(issuerBaseURL);
  expect(calls.filter((each) => !each.startsWith("/.well-known/"))).toHaveLength(1);
});
