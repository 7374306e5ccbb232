import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { found, type Planted, set } from "./doctor-cases.ts";
import { answering, changingHead, limiting, rewriting } from "./doctor-fronts.ts";
import type { World } from "./doctor-world.ts";

/** Changes the metadata or the keys of the provider. */
const changing = (path: string, change: (document: Record<string, unknown>) => object) =>
  rewriting((text) =>
    text.includes(path)
      ? JSON.stringify(change(JSON.parse(text) as Record<string, unknown>))
      : text,
  );

const hour = (sign: number): string => new Date(Date.now() + sign * 3_600_000).toUTCString();

/** A provider that hears only one of the addresses of this machine. */
async function onlyAt(host: string): Promise<string> {
  const server = createServer((_, response) => void response.end("{}"));
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

const providers: readonly Planted[] = [
  [
    "the provider publishes keys for encryption only",
    /^D18 .*another use/,
    {
      providerFront: changing('"keys"', ({ keys }) => ({
        keys: (keys as object[]).map((key) => ({ ...key, use: "enc" })),
      })),
    },
  ],
  [
    "the key set is empty",
    /^D18 .*empty/,
    { providerFront: changing('"keys"', () => ({ keys: [] })) },
  ],
  [
    "the keys are for another algorithm",
    /^D17 .*other algorithms than RS256/,
    {
      providerFront: changing('"keys"', ({ keys }) => ({
        keys: (keys as { alg: string }[]).map((key) => ({ ...key, alg: "PS512" })),
      })),
    },
  ],
  [
    "the clock of the token endpoint is an hour ahead",
    /^D26 .*3\d{3} s behind the token endpoint/,
    {
      providerFront: (request, response, next) => {
        if (request.url === "/token") response.setHeader("Date", hour(1));
        if (request.url === "/token") return void response.writeHead(405).end();
        return next(request, response);
      },
    },
  ],
  [
    "the end-session endpoint is http on the network",
    /^D16 .*end_session_endpoint/,
    {
      providerFront: changing('"issuer"', (metadata) => ({
        ...metadata,
        end_session_endpoint: "http://id.example/logout",
      })),
    },
  ],
  [
    "the userinfo endpoint is a list",
    /^D16 .*userinfo_endpoint is an empty list/,
    {
      providerFront: changing('"issuer"', (metadata) => ({ ...metadata, userinfo_endpoint: [] })),
    },
  ],
  [
    "the end-session endpoint is not there",
    /^D22 .*end answers 404/,
    { providerFront: answering((at) => at.startsWith("/session/end"), 404) },
  ],
  [
    "the end-session endpoint is broken",
    /^D22 .*end answers 502/,
    { providerFront: answering((at) => at.startsWith("/session/end"), 502) },
  ],
  [
    "the authorization endpoint is not there",
    /^D21 .*auth answers 404/,
    { providerFront: answering((at) => at.startsWith("/auth?"), 404) },
  ],
  [
    "the token endpoint does not answer",
    /^D16 .*token cannot be reached/,
    {
      providerFront: (request, response, next) =>
        request.url === "/token" ? void request.socket.destroy() : next(request, response),
    },
  ],
  [
    "the provider is slower than the time limit",
    /^D12 .*LATCHKEY_HTTP_TIMEOUT/,
    {
      ...set({ LATCHKEY_HTTP_TIMEOUT: "500" }),
      providerFront: (request, response, next) =>
        void setTimeout(() => next(request, response), 900),
      args: () => ["doctor"],
    },
  ],
  [
    "the provider has no PKCE with S256",
    /^D25 .*S256/,
    {
      providerFront: changing('"issuer"', (metadata) => ({
        ...metadata,
        code_challenge_methods_supported: ["plain"],
      })),
    },
  ],
  [
    "the file with the certificate of the authority is missing",
    /^D12 .*NODE_EXTRA_CA_CERTS names no-file\.pem/,
    { provider: { https: true }, environment: () => ({ NODE_EXTRA_CA_CERTS: "no-file.pem" }) },
  ],
  [
    "the authorization request has an API that the provider does not know",
    /^D21 .*invalid_target/,
    {
      ...set({ LATCHKEY_AUTHORIZATION_PARAMS: "resource=https://api.example.com" }),
      running: () => ({ authorizationParams: { resource: "https://api.example.com" } }),
    },
  ],
  [
    "the provider does not know a scope of the app",
    /^D21 .*invalid_scope.*LATCHKEY_SCOPE/,
    {
      ...set({ LATCHKEY_SCOPE: "openid orders" }),
      running: () => ({ scope: "openid orders" }),
      providerFront: (request, response, next) => {
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
        if (pathname !== "/auth") return next(request, response);
        const to = new URL(searchParams.get("redirect_uri") ?? "");
        to.searchParams.set("error", "invalid_scope");
        to.searchParams.set("state", searchParams.get("state") ?? "");
        return void response.writeHead(302, { Location: to.href }).end();
      },
    },
  ],
];

const apps: readonly Planted[] = [
  [
    "the policy of helmet stops the sign-out",
    /^D42 .*form-action|^D42 .*lets forms lead to 'self' only/,
    {
      front: changingHead((response) => {
        response.setHeader("Content-Security-Policy", "default-src 'self';form-action 'self'");
      }),
    },
  ],
  [
    "a framework refuses the logout tokens of the provider",
    /^D41 .*answers 403/,
    {
      ...set({ LATCHKEY_BACKCHANNEL_LOGOUT: "true", LATCHKEY_STORE: "memory:" }),
      front: (request, response, next) =>
        request.method === "POST"
          ? void response.writeHead(403).end("Cross-site POST form submissions are forbidden")
          : next(request, response),
    },
  ],
  [
    "cookies of other apps fill the header",
    /^D32 .*Cookies of others/,
    {
      maxHeaderSize: 10_000,
      front: (request, response, next) => {
        if (request.url !== "/") return next(request, response);
        const cookies = [1, 2, 3].map((each) => `other${each}=${"x".repeat(3000)}`);
        return void response.writeHead(200, { "Set-Cookie": cookies }).end("home");
      },
    },
  ],
];

test.each([...providers, ...apps])(
  "the first finding is the cause if %s",
  async (_name, expected, world) => {
    expect((await found(world))[0]).toMatch(expected);
  },
);

test("a provider at 127.0.0.1 only is named to those who write [::1]", async () => {
  const port = await onlyAt("127.0.0.1");
  const world = {
    ...set({ LATCHKEY_ISSUER_BASE_URL: `http://[::1]:${port}` }),
    args: () => ["doctor"],
  };
  expect((await found(world))[0]).toMatch(/^D12 .*Nothing listens at \[::1\]:\d+, but \S+ answers/);
});

const healthy: readonly (readonly [string, World])[] = [
  ["a provider that limits requests to four", { providerFront: limiting(4) }],
  ["a provider that limits requests to one", { providerFront: limiting(1) }],
  ["an app that limits requests to three", { front: limiting(3) }],
  [
    "a policy with the provider",
    {
      front: (request, response, next) => {
        response.setHeader("Content-Security-Policy", "form-action 'self' http://localhost:*");
        next(request, response);
      },
    },
  ],
  [
    "back-channel logout that reaches the app",
    { ...set({ LATCHKEY_BACKCHANNEL_LOGOUT: "true", LATCHKEY_STORE: "memory:" }) },
  ],
];

test.each(healthy)("nothing is found of %s", async (_name, world) => {
  expect(await found(world)).toEqual([]);
});
