import { expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { began } from "../../test/sessions/signed-in-app.ts";
import { signedInExchanges } from "../../test/sessions/signed-in-exchanges.ts";
import type { Identity } from "../config/identity.ts";
import type { Hooks } from "../config/code-options.ts";
import type { Context } from "../context.ts";
import type { TokenResponse } from "../oidc/token-response.ts";
import { identityOfPrincipal } from "../principal/principal.ts";
import { principalOfSession } from "../principal/principal.ts";
import { activeSession } from "../session/read-session.ts";
import type { SessionData } from "../session/session.ts";
import { memoryStore } from "../stores/memory.ts";
import { type NewSession, startSession } from "./start-session.ts";

const claims = { iss: goodSettings.issuerBaseURL, sub: "ada", iat: began };
const facts = { sub: "ada", sid: undefined, started: began * 1000 };
const ofAda = ({ connections }: Context): NewSession => ({
  connection: connections.default,
  claims,
  profile: claims,
  idToken: "idt",
  tokens: null,
  receivedAt: began * 1000 + 7,
  facts,
  replaces: undefined,
});

test("the former session of a browser is replaced, and both are logged [ATK-021, ATK-063]", async () => {
  const { context, events, written, ask } = await signedInExchanges();
  const { id } = written.stored.header;
  const exchange = ask();
  await startSession(context, exchange, ofAda(context));
  expect(context.recent.endingOf(id)).toBe("replaced");
  expect(events).toMatchObject([
    { event: "sign-out", reason: "replaced", sub: "ada", session: id },
    { event: "sign-in", sub: "ada", issuer: claims.iss, durationMs: 7 },
  ]);
  expect(exchange.current()).toMatchObject({ stored: { data: { idToken: "idt" } } });
});

test("a session too large for its cookies replaces none", async () => {
  const { context, written, ask } = await signedInExchanges();
  const exchange = ask();
  const large = { ...ofAda(context), idToken: "t".repeat(50_000) };
  await expect(startSession(context, exchange, large)).rejects.toMatchObject({
    reason: "session_too_large",
  });
  expect(exchange.current()).toHaveProperty("stored.header.id", written.stored.header.id);
  expect(await ask().read()).toHaveProperty("state", "active");
});

test.each(["afterCallback", "beforeSave"])(
  "the hook %s sees the session before it is kept, and may change it",
  async (hook) => {
    const change = (data: SessionData) => ({ ...data, seen: data.user.sub });
    const { context, ask } = await signedInExchanges({ hooks: { [hook]: change } });
    const exchange = ask({});
    await startSession(context, exchange, ofAda(context));
    expect(exchange.current()).toHaveProperty("stored.data.seen", "ada");
  },
);

test("the app's hook gets the identity that the session has afterwards [MX-043]", async () => {
  const seen: Identity[] = [];
  const afterCallback: Hooks<SessionData>["afterCallback"] = (data, _request, identity) => {
    seen.push(identity);
    return data;
  };
  const { context, ask } = await signedInExchanges({ hooks: { afterCallback } });
  const exchange = ask({});
  await startSession(context, exchange, ofAda(context));
  const stored = activeSession(exchange.current());
  const identity = stored && identityOfPrincipal(principalOfSession(stored, context));
  expect(seen).toEqual([identity]);
  expect(identity).toMatchObject({ sub: "ada", connection: "default" });
});

test.each([
  ["ada", "ends", "ended"],
  ["eve", "stays", null],
])("a session of %s without a proof of its device %s when Ada signs in", async (sub, _, ending) => {
  const { context, written, ask } = await signedInExchanges({}, { user: { sub } });
  const { stored } = written;
  const read = () => Promise.resolve({ state: "unproved", stored } as const);
  await startSession(context, { ...ask(), read }, ofAda(context));
  expect(context.recent.endingOf(stored.header.id)).toBe(ending);
});

const granted = { accessToken: "at", idToken: undefined, scope: "openid" };
const kept = { accessToken: "at", accessTokenScope: "openid" };

test.each<[string, TokenResponse, object]>([
  [
    "an end and a refresh token",
    { ...granted, expiresIn: 60.9, refreshToken: "rt" },
    { ...kept, accessTokenExpiresAt: began + 60, refreshToken: "rt" },
  ],
  ["neither", { ...granted, expiresIn: undefined, refreshToken: undefined }, kept],
])("an access token with %s is kept so", async (_, tokens, expected) => {
  const { context, ask } = await signedInExchanges();
  const exchange = ask({});
  await startSession(context, exchange, { ...ofAda(context), tokens });
  const { user: _user, idToken: _idToken, ...rest } = activeSession(exchange.current())?.data ?? {};
  expect(rest).toStrictEqual(expected);
});

test("a session the request cannot show is replaced by its id", async () => {
  const { context, events, ask } = await signedInExchanges();
  await startSession(context, ask({}), { ...ofAda(context), replaces: "former" });
  expect(context.recent.endingOf("former")).toBe("replaced");
  expect(events[0]).toEqual({ event: "sign-out", reason: "replaced", session: "former" });
});

test.each([
  ["ada", "Desk", { name: "Desk" }],
  ["ada", undefined, {}],
  ["eve", "Desk", {}],
])("a device that was %s's and called %s has for Ada then %j", async (sub, name, named) => {
  const store = memoryStore(() => began * 1000);
  const data = { user: { sub }, device: { userAgent: "x", ...(name && { name }) } };
  const { context, ask } = await signedInExchanges({ store, session: { stateful: true } }, data);
  const exchange = ask();
  await startSession(context, exchange, ofAda(context));
  expect(exchange.current()).toHaveProperty("stored.data.device", { userAgent: "", ...named });
});
