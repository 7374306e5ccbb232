import { describe, expect, onTestFinished, test, vi } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import { metadataOf } from "../../test/worlds/quick-provider.ts";
import { failingStore } from "../../test/failing-store.ts";
import { goodSettings } from "../../test/settings.ts";
import { began } from "../../test/sessions/signed-in-app.ts";
import { signedInExchanges } from "../../test/sessions/signed-in-exchanges.ts";
import { createAuth, type Options } from "../host/auth.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import { Refusal } from "../errors/refusal.ts";
import { memoryStore } from "../stores/memory.ts";
import { signedInCookies } from "../testing/index.ts";
import type { SessionData } from "../session/session.ts";
import type { RequestAuth } from "../host/request-auth.ts";
import { logProviderFault } from "../oidc/log-provider-fault.ts";
import { revokeTokens } from "./revoke-tokens.ts";

const issuer = goodSettings.issuerBaseURL;
const metadata = { ...metadataOf(issuer), revocation_endpoint: `${issuer}/revoke` };

type Respond = (signal: AbortSignal | null | undefined) => Response | Promise<Response>;

const revokedAnswer: Respond = () => new Response(null);

/**
 * Three sign-ins of one user, with the refresh tokens "rt-0", "rt-1" and "rt-2" and an access
 * token each; the first one acts.
 */
async function world(options: Partial<Options> = {}, respond: Respond = revokedAnswer) {
  const asked: string[] = [];
  const events: LogEvent[] = [];
  const all: Options = {
    ...goodSettings,
    publicPaths: ["/"],
    store: memoryStore(),
    session: { stateful: true },
    httpTimeout: 100,
    // Only the wait of the provider between tries.
    random: (bytes) => new Uint8Array(bytes),
    log: (event) => void events.push(event),
    async fetch(address, { body, signal }) {
      if (!address.endsWith("/revoke")) return Response.json(metadata);
      const form = body instanceof URLSearchParams ? body : new URLSearchParams();
      asked.push(`${form.get("token_type_hint")} ${form.get("token")}`);
      return respond(signal);
    },
    ...options,
  };
  const auth = createAuth(all);
  const cookies: string[] = [];
  const made = { ...all, random: undefined };
  for (const number of [0, 1, 2]) {
    const tokens = { refreshToken: `rt-${number}`, accessToken: `at-${number}` };
    const session = { user: { sub: "ada" }, ...tokens };
    cookies.push(await signedInCookies({ options: made, session }));
  }
  return {
    auth,
    asked,
    revocations: () => events.filter(({ event }) => event === "token-revocation"),
    events,
    async act(handler: (here: RequestAuth) => unknown): Promise<void> {
      const headers = { cookie: cookies[0] ?? "" };
      await handleRequest(auth, new Request(goodSettings.baseURL, { headers }), handler);
    },
  };
}

async function endOne(here: RequestAuth): Promise<void> {
  const devices = (await here.devices()) ?? [];
  await here.endDevice(devices.find(({ isCurrent }) => isCurrent)?.id ?? "");
}

const inCookies = { session: { stateful: false } };

test.each<[string, Partial<Options>, (here: RequestAuth) => unknown, number[]]>([
  ["of the device that was ended", {}, endOne, [0]],
  ["of all other devices", {}, (here) => here.endDevices("others"), [1, 2]],
  ["of all devices", {}, (here) => here.endDevices("all"), [0, 1, 2]],
  ["of this device, where there is no list", inCookies, (here) => here.endDevices("all"), [0]],
])("both tokens %s are revoked at the provider [OP-090]", async (_, options, end, numbers) => {
  const { asked, act } = await world(options);
  await act(end);
  const expected = numbers.flatMap((each) => [
    `access_token at-${each}`,
    `refresh_token rt-${each}`,
  ]);
  await expect.poll(() => asked.toSorted()).toEqual(expected.toSorted());
});

describe("a revocation [OP-090]", () => {
  const hangs: Respond = (signal) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("late"))));
  const unsupported = () => Response.json({ error: "unsupported_token_type" }, { status: 400 });

  test.each<[string, Respond, object]>([
    ["that succeeds is told", revokedAnswer, { outcome: "revoked", tries: 1 }],
    ["that is refused is told, and not repeated", unsupported, { outcome: "refused", tries: 1 }],
    [
      "that meets a busy provider is repeated three times",
      () => new Response(null, { status: 503 }),
      { outcome: "failed", tries: 4, reason: "provider_busy" },
    ],
    [
      "that is not answered is repeated three times",
      hangs,
      { outcome: "failed", tries: 4, reason: "provider_timeout" },
    ],
  ])("%s", async (_, respond, expected) => {
    const { act, revocations } = await world({}, respond);
    await act(endOne);
    await expect.poll(revocations).toHaveLength(2);
    expect(revocations()).toMatchObject([expected, expected]);
    await act(({ session }) => expect(session).toBeNull());
  });

  test("waits as long as the provider requests, and succeeds then", async () => {
    let calls = 0;
    const responded = Promise.withResolvers<void>();
    const { act, revocations } = await world({ httpTimeout: 5000 }, async () => {
      calls += 1;
      if (calls <= 2) return new Response(null, { status: 503, headers: { "Retry-After": "1" } });
      await responded.promise;
      return new Response(null);
    });
    const started = performance.now();
    await act(endOne);
    expect(revocations()).toEqual([]);
    responded.resolve();
    await expect.poll(revocations).toHaveLength(2);
    expect(performance.now() - started).toBeGreaterThan(990);
    expect(revocations()).toMatchObject([{ outcome: "revoked" }, { outcome: "revoked" }]);
  });

  test("waits up to twice as long before each try, beyond the wait of the provider", async () => {
    const busy = { status: 503, headers: { "Retry-After": "1" } };
    const fetch: Options["fetch"] = async (address) =>
      address.endsWith("/revoke") ? new Response(null, busy) : Response.json(metadata);
    const session = { user: { sub: "ada" }, refreshToken: "rt" };
    const { context, events, written } = await signedInExchanges({ fetch }, session);
    const waits: number[] = [];
    const background = { ...context.background, pause: async (ms: number) => void waits.push(ms) };
    revokeTokens({ ...context, background, fraction: () => 0.5 }, written.stored);
    await expect.poll(() => events.map(({ event }) => event)).toContain("token-revocation");
    expect(waits).toEqual([1500, 2000, 3000]);
  });

  test("delays no response, and closing waits for it [OP-064]", async () => {
    const responded = Promise.withResolvers<void>();
    const answerLate: Respond = async () => {
      await responded.promise;
      return new Response(null);
    };
    const { auth, act, revocations } = await world({ httpTimeout: 5000 }, answerLate);
    await act(endOne);
    expect(revocations()).toEqual([]);
    const closed = auth.close();
    responded.resolve();
    await closed;
    expect(revocations()).toHaveLength(2);
  });

  test("that takes longer than the two seconds of closing is logged by its kind [OP-064]", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    vi.setTimerTickMode("nextTimerAsync");
    onTestFinished(() => void vi.useRealTimers());
    const { auth, act, events } = await world(
      { httpTimeout: 60_000 },
      () => new Promise(() => undefined),
    );
    await act(endOne);
    const closing = performance.now();
    await auth.close();
    expect(performance.now() - closing).toBeLessThan(2100);
    expect(events.at(-1)).toMatchObject({ message: expect.stringContaining("token revocation") });
  });
});

describe("what is revoked of a session", () => {
  const now = began;

  async function sessionWith(data: Partial<SessionData>, provided: object = metadata) {
    const asked: (string | null)[] = [];
    const store = failingStore(memoryStore(() => began * 1000));
    const fetch: Options["fetch"] = async (address, { body }) => {
      if (!address.endsWith("/revoke")) return Response.json(provided);
      asked.push(body instanceof URLSearchParams ? body.get("token") : null);
      return new Response(null);
    };
    const signedIn = await signedInExchanges({ store, fetch }, { user: { sub: "ada" }, ...data });
    const { context, written } = signedIn;
    return {
      ...signedIn,
      store,
      async revoked() {
        revokeTokens(context, written.stored);
        await context.background.close(5000);
        return asked;
      },
    };
  }

  test.each<[string, Partial<SessionData>, string[]]>([
    ["no token, where it has none", {}, []],
    ["an access token whose end nobody knows", { accessToken: "at" }, ["at"]],
    [
      "the refresh token alone, where the access token has ended",
      { accessToken: "at", refreshToken: "rt", accessTokenExpiresAt: now },
      ["rt"],
    ],
    [
      "the tokens for other resource servers that have not ended",
      {
        resourceTokens: {
          "https://one.example": { accessToken: "at-1", accessTokenExpiresAt: now + 1 },
          "https://two.example": { accessToken: "at-2", accessTokenExpiresAt: now - 1 },
        },
      },
      ["at-1"],
    ],
  ])("are %s", async (_, data, tokens) => {
    const { events, revoked } = await sessionWith(data);
    expect(await revoked()).toEqual(tokens);
    expect(events).toEqual(tokens.map(() => expect.objectContaining({ outcome: "revoked" })));
  });

  test("are the tokens a refresh of the cookie has brought meanwhile", async () => {
    const { context, revoked, written } = await sessionWith({ refreshToken: "rt-0" });
    const tokens = { accessToken: "at-1", refreshToken: "rt-1" };
    const result = { tokens, claims: null };
    context.recent.rememberRefresh(written.stored, { state: "done", result });
    expect(new Set(await revoked())).toEqual(new Set(["at-1", "rt-1"]));
  });

  test("is nothing if the provider revokes no tokens", async () => {
    const { events, revoked } = await sessionWith({ refreshToken: "rt" }, metadataOf(issuer));
    expect(await revoked()).toEqual([]);
    expect(events).toEqual([]);
  });
});

test.each([
  [new Refusal("provider_busy"), "provider_busy"],
  [new Error("broken"), "internal"],
])("a fault of the provider is logged by its reason: %s", async (error, reason) => {
  const { context, events } = await signedInExchanges();
  logProviderFault(context, error, "logout");
  expect(events).toEqual([{ event: "provider-fault", reason, detail: "logout" }]);
});
