import { createCertificate } from "@latchkey/provider";
import { expect, test } from "vitest";

import { freePort } from "../servers/free-port.ts";
import { found, type Planted, set } from "./doctor-cases.ts";
import { answering, changingHead, rewriting } from "./doctor-fronts.ts";

/** Each server of the provider calls its keys something else. */
const otherKid = (text: string): string => text.replaceAll('"kid":"', `"kid":"${Math.random()}`);

const clock = new Date(Date.now() + 3_600_000).toUTCString();

const planted: readonly Planted[] = [
  [
    "the provider does not run",
    /^D12 .*Nothing listens/,
    set({ LATCHKEY_ISSUER_BASE_URL: `http://localhost:${await freePort()}` }),
  ],
  [
    "the name of the provider is misspelt",
    /^D12 .*cannot be resolved/,
    { ...set({ LATCHKEY_ISSUER_BASE_URL: "https://id.invalid" }), args: () => ["doctor"] },
  ],
  [
    "Node does not use the proxy of the network",
    /^D12 .*NODE_USE_ENV_PROXY/,
    {
      ...set({ LATCHKEY_ISSUER_BASE_URL: "https://id.invalid" }),
      environment: () => ({ HTTPS_PROXY: "http://proxy.invalid:3128" }),
      args: () => ["doctor"],
    },
  ],
  [
    "the proxy of the shell does not run",
    /^D12 .*HTTP_PROXY/,
    { environment: () => ({ HTTP_PROXY: "http://localhost:1", NODE_USE_ENV_PROXY: "1" }) },
  ],
  [
    "the certificate of the provider is not trusted",
    /^D12 .*NODE_EXTRA_CA_CERTS/,
    { provider: { https: true } },
  ],
  [
    "the provider speaks http",
    /^D13 .*http:\/\//,
    {
      variables: ({ issuer }) => ({ LATCHKEY_ISSUER_BASE_URL: issuer.replace("http:", "https:") }),
    },
  ],
  [
    "the provider speaks https",
    /^D13 .*https:\/\//,
    {
      provider: { https: true },
      variables: ({ issuer }) => ({ LATCHKEY_ISSUER_BASE_URL: issuer.replace("https:", "http:") }),
    },
  ],
  [
    "the issuer has a path too much",
    /^D14 .*LATCHKEY_ISSUER_BASE_URL=/,
    { variables: ({ issuer }) => ({ LATCHKEY_ISSUER_BASE_URL: `${issuer}/realms/wiki` }) },
  ],
  [
    "a network wants a login first",
    /^D14 .*redirects elsewhere/,
    {
      providerFront: (_request, response) =>
        void response.writeHead(302, { Location: "http://login.hotel.example/" }).end(),
    },
  ],
  ["the provider is broken", /^D14 .*answers 500/, { providerFront: answering(() => true, 500) }],
  ["the provider hangs", /^D12 .*5 seconds/, { providerFront: () => undefined }],
  [
    "the certificate of the provider has expired",
    /^D12 .*Renew/,
    { provider: { https: await createCertificate(Date.now() - 60 * 86_400_000) } },
  ],
  ["the issuer is a web page", /^D14 .*web page/, { providerFront: answering(() => true) }],
  [
    "the issuer has another host than the provider says",
    /^D15 /,
    {
      variables: ({ issuer }) => ({
        LATCHKEY_ISSUER_BASE_URL: issuer.replace("localhost", "127.0.0.1"),
      }),
    },
  ],
  [
    "the issuer has a slash too much",
    /^D15 /,
    { variables: ({ issuer }) => ({ LATCHKEY_ISSUER_BASE_URL: `${issuer}/` }) },
  ],
  ["the algorithm is not offered", /^D17 /, set({ LATCHKEY_ID_TOKEN_SIGNING_ALG: "ES512" })],
  ["the keys cannot be read", /^D18 /, { providerFront: answering((at) => at.includes("jwks")) }],
  [
    "the client has another secret",
    /^D20 .*invalid_client/,
    {
      ...set({ LATCHKEY_CLIENT_SECRET: "of-another-client-4LpV7nB" }),
      args: ({ baseURL }) => ["doctor", baseURL, "--probe"],
    },
  ],
  [
    "the client is registered with another authentication",
    /^D20 .*invalid_client/,
    {
      provider: { client: { authMethod: "client_secret_jwt" } },
      args: ({ baseURL }) => ["doctor", baseURL, "--probe"],
    },
  ],
  [
    "the provider does not know the client",
    /^D20 .*does not know/,
    {
      ...set({ LATCHKEY_CLIENT_ID: "wiki" }),
      running: () => ({ clientID: "wiki" }),
    },
  ],
  [
    "the redirect address is not registered",
    /^D21 .*callback/,
    { provider: { appURL: "http://localhost:3999" } },
  ],
  [
    "only the address after logout is not registered",
    /^D22 .*signed-out/,
    { provider: { client: { postLogoutRedirectURIs: [] } } },
  ],
  [
    "the client may not use this response type",
    /^D2[015] .*response type|^D2[015] .*response_type/,
    {
      ...set({ LATCHKEY_RESPONSE_TYPE: "code id_token" }),
      running: () => ({ responseType: "code id_token" }),
      provider: { client: { responseTypes: ["code"] } },
    },
  ],
  [
    "the client has to push its requests",
    /^D21 .*PUSHED/,
    { provider: { client: { requirePushedRequests: true } } },
  ],
  [
    "the callback has another path than the registered one",
    /^D21 /,
    {
      ...set({ LATCHKEY_ROUTES_CALLBACK: "/api/auth/callback/oidc" }),
      running: () => ({ routes: { callback: "/api/auth/callback/oidc" } }),
    },
  ],
  [
    "an endpoint is http on the network",
    /^D16 /,
    {
      providerFront: rewriting((text) =>
        text.replaceAll(/http:[^"]*token"/g, 'http://id.example/token"'),
      ),
    },
  ],
  [
    "the servers of the provider have different keys",
    /^D27 .*keys/,
    { providerFront: rewriting(otherKid) },
  ],
  [
    "the clock is an hour off",
    /^D26 .*3\d{3} s/,
    { providerFront: changingHead((response) => void response.setHeader("Date", clock)) },
  ],
];

test.each(planted)("the first finding is the cause if %s", async (_name, expected, world) => {
  expect((await found(world))[0]).toMatch(expected);
});
