import { expect, test } from "vitest";

import { createAuth, type LogEvent, type Options } from "../index.ts";
import { deriveKeyRing } from "../crypto/key-ring.ts";
import { memoryStore } from "../stores/memory.ts";
import { relay, type RelayOptions } from "./index.ts";
import { type RelayedSignIn, sealState } from "./relayed-state.ts";

const now = 1_800_000_000_000;
const secret = "a-relay-secret-of-the-tests-0123456789";
const sessionSecret = "a-session-secret-of-the-tests-0123456789";
const production = "https://shop.example";
const preview = "https://pr-7--shop.netlify.app";
const random = "r".repeat(43);
const path = "/api/auth/callback";

const own: RelayOptions = { secret, origins: ["https://*--shop.netlify.app"] };

function startRelay(given: RelayOptions = own, more: Partial<Options> = {}) {
  const events: LogEvent[] = [];
  const calls: string[] = [];
  const auth = createAuth({
    baseURL: production,
    secret: sessionSecret,
    issuerBaseURL: "https://id.example",
    clientID: "shop",
    clientSecret: "secret",
    identity: "issuer+sub",
    connections: {
      acme: { issuerBaseURL: "https://id.acme.example", clientID: "shop", clientSecret: "secret" },
    },
    store: memoryStore(() => now),
    clock: () => now,
    log: (event) => void (event.event === "refusal" && events.push(event)),
    fetch: async (address) => {
      calls.push(address);
      throw new TypeError("no provider here");
    },
    ...more,
    relay: relay(given),
  });
  const ask = (target: string, init: RequestInit = {}) =>
    auth.respond(new Request(production + target, init), () => new Response("page"));
  return { auth, ask, events, calls };
}

const signIn: RelayedSignIn = { baseURL: preview, path, started: now - 1000 };

function stateOf(changed: Partial<RelayedSignIn> = {}, by = secret): string {
  return sealState(deriveKeyRing([by], "relay"), random, { ...signIn, ...changed });
}

function callback(state: string, more: Record<string, string> = { code: "the code" }): string {
  return `${path}?${new URLSearchParams({ ...more, state })}`;
}

async function locationOf(answer: Promise<Response>): Promise<[number, string | null]> {
  const { status, headers } = await answer;
  return [status, headers.get("location")];
}

test("MX-081: sends exactly the parameters of the response on, and nothing else", async () => {
  const { ask, events, calls } = startRelay();
  const state = stateOf();
  const given = { code: "a+b/c", iss: "https://id.example", session_state: "1", utm_source: "x" };
  const response = await ask(callback(state, given), { headers: { cookie: "appSession=x" } });
  const query = new URLSearchParams({ code: "a+b/c", iss: "https://id.example", state });
  expect([response.status, response.headers.get("location")]).toEqual([
    303,
    `${preview}${path}?${query}`,
  ]);
  expect([...response.headers.keys()].toSorted()).toEqual([
    "cache-control",
    "location",
    "referrer-policy",
  ]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  expect([await response.text(), calls, events]).toEqual(["", [], []]);
});

test("MX-081: sends the response of another client to its address at the preview", async () => {
  const { ask } = startRelay();
  const state = stateOf({ path: `${path}/acme` });
  const query = new URLSearchParams({ code: "1", state });
  expect(await locationOf(ask(`${path}/acme?${query}`))).toEqual([
    303,
    `${preview}${path}/acme?${query}`,
  ]);
});

test("MX-081: sends the response to a preview below a path", async () => {
  const { ask } = startRelay();
  const state = stateOf({ baseURL: `${preview}/branch` });
  const [, location] = await locationOf(ask(callback(state)));
  expect(location?.startsWith(`${preview}/branch${path}?`)).toBe(true);
});

test("MX-084: sends an error on like any response", async () => {
  const { ask } = startRelay();
  const state = stateOf();
  const error = { error: "access_denied", error_description: "no" };
  const query = new URLSearchParams({ ...error, state });
  expect(await locationOf(ask(callback(state, error)))).toEqual([
    303,
    `${preview}${path}?${query}`,
  ]);
});

test("MX-084: lets the browser send a form again", async () => {
  const { ask } = startRelay();
  const body = new URLSearchParams({ code: "1", state: stateOf() });
  const response = await ask(path, { method: "POST", body });
  expect([response.status, response.headers.get("location")]).toEqual([307, preview + path]);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test.each([
  ["another secret", () => stateOf({}, "another-secret-of-the-tests-0123456789"), "not sealed"],
  [
    "a changed seal",
    () => `${stateOf().slice(0, -1)}${stateOf().endsWith("A") ? "B" : "A"}`,
    "not sealed",
  ],
  ["a changed name", () => `x${stateOf().slice(1)}`, "not sealed"],
  ["another content", () => contentOf(stateOf({ baseURL: "https://evil.example" })), "not sealed"],
  [
    "an origin that is not listed",
    () => stateOf({ baseURL: "https://evil.example" }),
    "not in its",
  ],
  ["the site itself", () => stateOf({ baseURL: production }), "not in its"],
  [
    "a site of the host for apps",
    () => stateOf({ baseURL: "https://evil.netlify.app" }),
    "not in its",
  ],
  ["an origin by http", () => stateOf({ baseURL: preview.replace("https", "http") }), "not in its"],
  ["another port", () => stateOf({ baseURL: `${preview}:8443` }), "not in its"],
  ["no address", () => stateOf({ baseURL: "pr-7--shop.netlify.app" }), "not in its"],
  ["a script", () => stateOf({ baseURL: "javascript:alert(1)//--shop.netlify.app" }), "not in its"],
  ["another client", () => stateOf({ path: `${path}/acme` }), "arrived at"],
  ["a start more than ten minutes ago", () => stateOf({ started: now - 600_001 }), "older than"],
  ["a start in the future", () => stateOf({ started: now + 60_001 }), "older than"],
])("MX-081: refuses %s", async (_, state, detail) => {
  const { ask, events, calls } = startRelay();
  for (const init of [{}, { method: "POST" }]) {
    const query = new URLSearchParams({ code: "the-code", state: state() });
    const target = "method" in init ? path : `${path}?${query}`;
    const response = await ask(target, "method" in init ? { ...init, body: query } : init);
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).not.toContain("the-code");
  }
  expect(events).toMatchObject([1, 2].map(() => ({ reason: "relay_refused", route: "callback" })));
  expect(events).toMatchObject([1, 2].map(() => ({ detail: expect.stringContaining(detail) })));
  expect(calls).toEqual([]);
});

/** A state with the content of another one. */
function contentOf(other: string): string {
  const [start, , end] = stateOf().split(".");
  return [start, other.split(".")[1], end].join(".");
}

test("MX-081: accepts a start ten minutes ago, and one by a clock that is a minute ahead", async () => {
  const { ask } = startRelay();
  for (const started of [now - 600_000, now + 60_000]) {
    expect((await ask(callback(stateOf({ started })))).status).toBe(303);
  }
});

test("MX-081: leads a late user back to the preview, not to the relay", async () => {
  const { ask } = startRelay();
  const late = await ask(callback(stateOf({ started: now - 700_000 })), {
    headers: { accept: "text/html" },
  });
  const page = await late.text();
  expect(page).toContain(`${preview}/api/auth/login`);
  expect(page).not.toContain(production);
});

test("MX-081: refuses a parameter that comes twice, or beside a form", async () => {
  const { ask, events } = startRelay();
  const state = stateOf();
  const twice = await ask(`${callback(state)}&code=2`);
  const body = new URLSearchParams({ code: "1", state });
  const beside = await ask(`${path}?code=2`, { method: "POST", body });
  expect([twice.status, beside.status]).toEqual([400, 400]);
  expect(events).toMatchObject(
    [1, 2].map(() => ({ reason: "parameter_repeated", detail: "code" })),
  );
});

test.each([
  ["without a state", `${path}?code=1`, "state_cookie_missing"],
  ["with a state of its own", callback(random), "state_cookie_missing"],
  ["with a marked state of its own", callback(`${random}.s.r`), "state_cookie_blocked"],
  ["with any other state", callback("a.b.c.d"), "state_cookie_missing"],
])("the relay answers a response %s as an app without a relay does", async (_, target, reason) => {
  const { ask, events } = startRelay();
  expect((await ask(target)).status).toBe(400);
  expect(events).toMatchObject([{ reason }]);
});

test("the relay reads the form of a response of its own once more", async () => {
  const { ask, events } = startRelay(own, { responseMode: "form_post" });
  const body = new URLSearchParams({ code: "1", state: random });
  expect((await ask(path, { method: "POST", body })).status).toBe(400);
  const text = await ask(path, {
    method: "POST",
    body: "state",
    headers: { "content-type": "text/plain" },
  });
  expect(text.status).toBe(415);
  expect(events).toMatchObject([{ reason: "state_cookie_missing" }, { reason: "content_type" }]);
});

test("the relay relays nothing to a prefetch or HEAD, below no other address, and to no other method", async () => {
  const { ask } = startRelay();
  const target = callback(stateOf());
  const prefetched = await ask(target, { headers: { "sec-purpose": "prefetch" } });
  const head = await ask(target, { method: "HEAD" });
  const put = await ask(target, { method: "PUT" });
  const elsewhere = await ask(target.replace("callback", "callbacks"));
  expect([prefetched, head, put, elsewhere].map(({ status }) => status)).toEqual([
    204, 204, 405, 404,
  ]);
});

test("MX-083: accepts what a former secret has sealed, and seals with the first one", async () => {
  const former = "the-former-relay-secret-0123456789";
  const { ask } = startRelay({ ...own, secret: [secret, former] });
  expect((await ask(callback(stateOf({}, former)))).status).toBe(303);
  const at = startRelay(
    { secret: [secret, former], url: production },
    { baseURL: preview, ...alone },
  );
  const login = await at.auth.respond(
    new Request(`${preview}/api/auth/login`),
    () => new Response(),
  );
  const sent = new URL(login.headers.get("location") ?? "");
  const relayed = await startRelay().ask(callback(sent.searchParams.get("state") ?? ""));
  expect(relayed.status).toBe(303);
});

/** One connection, whose provider answers for its metadata. */
const alone = { connections: {}, fetch: provider };

async function provider(): Promise<Response> {
  return Response.json({
    issuer: "https://id.example",
    authorization_endpoint: "https://id.example/authorize",
    token_endpoint: "https://id.example/token",
    jwks_uri: "https://id.example/jwks",
  });
}

test("MX-085: one process relays for its further hosts and signs in at its own as ever", async () => {
  const both: RelayOptions = {
    secret,
    url: `${production}/`,
    origins: ["https://shop.customer.example"],
  };
  const { ask } = startRelay(both, alone);
  const login = new URL((await ask("/api/auth/login")).headers.get("location") ?? "");
  expect(login.searchParams.get("redirect_uri")).toBe(production + path);
  expect(login.searchParams.get("state")).toMatch(/^[\w-]{43}$/);
  const white = startRelay(both, { baseURL: "https://shop.customer.example", ...alone });
  const started = await white.auth.respond(
    new Request("https://shop.customer.example/api/auth/login"),
    () => new Response(),
  );
  const sent = new URL(started.headers.get("location") ?? "").searchParams;
  expect(sent.get("redirect_uri")).toBe(production + path);
  const [status, location] = await locationOf(ask(callback(sent.get("state") ?? "")));
  expect([status, location?.startsWith(`https://shop.customer.example${path}?`)]).toEqual([
    303,
    true,
  ]);
});

async function faultsOf(given: unknown, more: Partial<Options> = {}): Promise<string> {
  const { auth } = startRelay(given as RelayOptions, more);
  return auth.ready().then(
    () => "",
    (error: unknown) => String(error),
  );
}

test.each([
  ["a star above a public suffix", { ...own, origins: ["https://*.netlify.app"] }, "relay.origins"],
  ["http", { ...own, origins: ["http://pr.shop.example"] }, "relay.origins"],
  ["a star for ports", { ...own, origins: ["https://pr.shop.example:*"] }, "relay.origins"],
  ["user info", { ...own, origins: ["https://a@pr.shop.example"] }, "relay.origins"],
  ["a path", { ...own, origins: ["https://pr.shop.example/a"] }, "relay.origins"],
  ["one bad origin among good ones", { ...own, origins: [preview, "https://*"] }, "relay.origins"],
  ["no origins", { secret }, "relay.origins: is required"],
  ["an empty list", { ...own, origins: [] }, "relay.origins"],
  ["the relay without origins", { secret, url: production }, "relay.origins: is required"],
  ["no secret", { origins: own.origins }, "relay.secret: is required"],
  ["a short secret", { ...own, secret: "short" }, "relay.secret"],
  ["a placeholder", { ...own, secret: "change-me-please" }, "relay.secret"],
  [
    "the secret of the sessions",
    { ...own, secret: sessionSecret },
    "relay.secret: is also the secret",
  ],
  ["it as a former one", { ...own, secret: [secret, sessionSecret] }, "relay.secret: is also"],
  ["an address by http", { secret, url: "http://shop.example" }, "relay.url"],
  ["an address with a query", { secret, url: `${production}?a=1` }, "relay.url"],
  ["an unknown option", { ...own, origin: [preview] }, "relay.origin: is not an option"],
])("MX-083: %s is a fault at the start", async (_, given, fault) => {
  const message = await faultsOf(given);
  expect(message).toContain(fault);
  expect(message).not.toContain(sessionSecret);
});

test("MX-083: an http origin is good on this machine", async () => {
  expect(await faultsOf({ secret, origins: ["http://localhost:3001"] })).toBe("");
});
