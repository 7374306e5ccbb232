import { defaultClientSecret } from "@latchkey/provider";
import { describe, expect, test } from "vitest";

import {
  behindNginx,
  check,
  deployment,
  found,
  inFiles,
  nginx,
  nothingSet,
  offline,
  redis,
  redisAddress,
  set,
} from "./doctor-cases.ts";
import { changingTarget, limiting, slashing } from "./doctor-fronts.ts";
import { clientSecret, secret, type World } from "./doctor-world.ts";

const secretFiles = {
  "secrets/secret": `${secret}\n`,
  "secrets/client": `${clientSecret}\n`,
};
const healthy: readonly (readonly [name: string, world: World])[] = [
  [
    "the default client of the local provider",
    {
      ...set({ LATCHKEY_CLIENT_SECRET: defaultClientSecret, LATCHKEY_STORE: "memory:" }),
      provider: { clientSecret: defaultClientSecret },
      running: () => ({ clientSecret: defaultClientSecret }),
    },
  ],
  ["secrets in files", { ...set(inFiles), files: secretFiles }],
  ["the deployment of the examples", check(deployment)],
  ["a base path", { basePath: "/shop" }],
  [
    "a base path that a proxy takes away",
    { basePath: "/shop", front: changingTarget((target) => target.replace("/shop", "")) },
  ],
  ["a slash after every address", { front: slashing((at, query) => `${at}/${query}`) }],
  ["a store in SQLite", set({ LATCHKEY_STORE: "sqlite:data/latchkey.db" })],
  ["settings in code", nothingSet],
  [
    "https with a certificate of its own",
    { isHTTPS: true, environment: () => ({ NODE_EXTRA_CA_CERTS: "ca.pem" }) },
  ],
  [
    "a development server that changes the host",
    {
      front: (request, response, next) => {
        if (!(request.url ?? "").includes("at=base-url")) request.headers.host = "localhost:1";
        next(request, response);
      },
    },
  ],
  [
    "a language in front of every address",
    {
      front: (request, response, next) => {
        const target = request.url ?? "/";
        if (!target.startsWith("/en/")) {
          return void response.writeHead(307, { Location: `/en${target}` }).end();
        }
        request.url = target.slice(3);
        return next(request, response);
      },
    },
  ],
  [
    "a provider that requires pushed requests, with the probe",
    {
      ...set({ LATCHKEY_PUSHED_AUTHORIZATION_REQUESTS: "true" }),
      running: () => ({ pushedAuthorizationRequests: true }),
      provider: { client: { requirePushedRequests: true } },
      args: ({ baseURL }) => ["doctor", baseURL, "--probe"],
    },
  ],
  [
    "a form of the provider",
    {
      ...set({ LATCHKEY_RESPONSE_TYPE: "code id_token" }),
      running: () => ({ responseType: "code id_token" }),
    },
  ],
  [
    "a client with its secret in the form, with the probe",
    {
      ...set({ LATCHKEY_CLIENT_AUTH_METHOD: "client_secret_post" }),
      provider: { client: { authMethod: "client_secret_post" } },
      running: () => ({ clientAuthMethod: "client_secret_post" }),
      args: ({ baseURL }) => ["doctor", baseURL, "--probe"],
    },
  ],
  ["two instances with one secret", { other: {} }],
  ["a limit for the rate of requests", { front: limiting(12) }],
  [
    "a password in the address of a store, encoded",
    { ...offline, ...set({ LATCHKEY_STORE: "redis://:pa%23ss@localhost:6379" }) },
  ],
  [
    "a strict cookie, and a provider on the same site",
    {
      ...set({ LATCHKEY_SESSION_COOKIE_SAME_SITE: "strict" }),
      running: () => ({ session: { cookie: { sameSite: "strict" } } }),
    },
  ],
  [
    "the rotation of a secret",
    set({ LATCHKEY_SECRET: `${secret} the-former-secret-which-was-short` }),
  ],
];

describe("nothing is found of", () => {
  test.each(healthy)("%s", async (_name, world) => {
    expect(await found(world)).toEqual([]);
  });

  test.skipIf(nginx === null)("an nginx with its defaults", async () => {
    const settings = ["proxy_buffer_size 16k;", "proxy_buffers 8 16k;"];
    expect(await found({ proxy: (port) => behindNginx(port, settings) })).toEqual([]);
  });

  test.skipIf(redis === null)("a store in Redis", async () => {
    const address = await redisAddress();
    expect(await found(set({ LATCHKEY_STORE: address }))).toEqual([]);
  });
});
