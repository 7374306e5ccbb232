import { expect, test } from "vitest";

import {
  check,
  deployment,
  found,
  inFiles,
  nothingSet,
  offline,
  type Planted,
  redis,
  redisAddress,
  set,
} from "./doctor-cases.ts";
import { secret, type World } from "./doctor-world.ts";
import { commitAll, git } from "./project.ts";

const planted: readonly Planted[] = [
  [
    "the client secret is missing",
    /^D01 .*CLIENT_SECRET/,
    { ...set({ LATCHKEY_CLIENT_SECRET: undefined }), args: () => ["doctor"] },
  ],
  [
    "there is no file of variables",
    /^D01 .*No variable/,
    { ...nothingSet, args: () => ["doctor"] },
  ],
  [
    "a variable is misspelt",
    /^D02 .*CLIENTID/,
    set({ LATCHKEY_CLIENT_ID: undefined, LATCHKEY_CLIENTID: "latchkey" }),
  ],
  [
    "the prefix of a variable is misspelt",
    /^D02 .*LATCHEY/,
    set({ LATCHKEY_SECRET: undefined, LATCHEY_SECRET: secret }),
  ],
  [
    "a variable of the web application is misspelt",
    /^D02 .*DRAIN_DELY/,
    check({ ...deployment, LATCHKEY_DRAIN_DELY: "5" }),
  ],
  ["the mode is cut", /^D02 .*NODE_ENV is "prod"/, check({ NODE_ENV: "prod" })],
  ["the mode has a capital", /^D02 .*"Production"/, check({ NODE_ENV: "Production" })],
  ["the mode has a blank", /^D02 .*"production "/, check({ NODE_ENV: "production " })],
  ["the secret is that of a template", /^D03 .*placeholder/, set({ LATCHKEY_SECRET: "change-me" })],
  ["the file with a secret is missing", /^D03 .*cannot be read/, set(inFiles)],
  [
    "the secret was committed",
    /^D03 .*in git/,
    {
      prepare: (folder) => commitAll(folder),
    },
  ],
  [
    "git does not ignore the secret",
    /^D03 .*does not ignore/,
    { prepare: (folder) => void git(folder, "init", "-q") },
  ],
  [
    "quotation marks are part of the client id",
    /^D04 .*quotation/,
    set({ LATCHKEY_CLIENT_ID: `"'latchkey'"` }),
  ],
  [
    "a number sign cuts the client secret",
    /^D04 .*#/,
    set({ LATCHKEY_CLIENT_SECRET: "Wm8Tc5RfZ2x#KqH7vNb4LpDy9" }),
  ],
  [
    "the file has a byte order mark",
    /^D04 .*byte order/,
    { ...set({}), files: { ".env": "\uFEFFLATCHKEY_LOGOUT=1\n" } },
  ],
  [
    "the shell exports another client",
    /^D05 .*LATCHKEY_CLIENT_ID/,
    { environment: () => ({ LATCHKEY_CLIENT_ID: "of-another-project" }) },
  ],
  [
    "the issuer is the address of the metadata",
    /^D06 /,
    {
      variables: ({ issuer }) => ({
        LATCHKEY_ISSUER_BASE_URL: `${issuer}/.well-known/openid-configuration`,
      }),
    },
  ],
  [
    "the issuer is that of every tenant",
    /^D06 /,
    {
      ...offline,
      ...set({ LATCHKEY_ISSUER_BASE_URL: "https://login.microsoftonline.com/common/v2.0" }),
    },
  ],
  [
    "the base URL is http on the network",
    /^D07 .*http/,
    { ...offline, ...set({ LATCHKEY_BASE_URL: "http://app.example.org" }) },
  ],
  [
    "the base URL is localhost in production",
    /^D07 .*no browser/,
    check({ LATCHKEY_BASE_URL: "http://localhost:3000" }),
  ],
  [
    "the base URL ends with that of the routes",
    /^D07 /,
    { variables: ({ baseURL }) => ({ LATCHKEY_BASE_URL: `${baseURL}/api/auth` }) },
  ],
  [
    "a cookie is strict, and the provider is on another site",
    /^D08 .*strict/,
    check({
      LATCHKEY_TRANSACTION_COOKIE_SAME_SITE: "strict",
      LATCHKEY_ISSUER_BASE_URL: "https://id.example.net",
    }),
  ],
  [
    "the domain of the cookie is another one",
    /^D08 .*DOMAIN/,
    check({ LATCHKEY_SESSION_COOKIE_DOMAIN: "example.org" }),
  ],
  [
    "the domain of the cookie is a public suffix",
    /^D08 .*anyone/,
    check({
      LATCHKEY_BASE_URL: "https://wiki.vercel.app",
      LATCHKEY_SESSION_COOKIE_DOMAIN: "vercel.app",
    }),
  ],
  ["a public path has an asterisk", /^D09 /, set({ LATCHKEY_PUBLIC_PATHS: "/assets/*" })],
  [
    "Google is asked for offline_access",
    /^D10 /,
    {
      ...offline,
      ...set({
        LATCHKEY_ISSUER_BASE_URL: "https://accounts.google.com",
        LATCHKEY_SCOPE: "openid offline_access",
      }),
    },
  ],
  [
    "a query is set for an ID token",
    /^D11 /,
    set({ LATCHKEY_RESPONSE_TYPE: "id_token", LATCHKEY_RESPONSE_MODE: "query" }),
  ],
  [
    "the file of the store is a folder",
    /^D38 .*no file/,
    {
      ...set({ LATCHKEY_STORE: "sqlite:data" }),
      files: { "data/README": "" },
    },
  ],
  [
    "the file of the store is below /proc",
    /^D38 .*system/,
    set({ LATCHKEY_STORE: "sqlite:/proc/latchkey/sessions.db" }),
  ],
  [
    "the file of the store is a device, without a request",
    /^D38 .*system/,
    check({ LATCHKEY_STORE: "sqlite:/srv/../dev/latchkey.db" }),
  ],
  [
    "the file of the store is in memory",
    /^D38 .*emptied/,
    check({ LATCHKEY_STORE: "sqlite:/dev/shm/latchkey.db" }),
  ],
  [
    "the file of the store is a temporary one",
    /^D38 .*emptied/,
    check({ LATCHKEY_STORE: "sqlite:/tmp/latchkey.db" }),
  ],
  [
    "the password of the store is not encoded",
    /^D38 /,
    set({ LATCHKEY_STORE: '"redis://:pa#ss@localhost:6379"' }),
  ],
  [
    "the store does not run",
    /^D38 .*cannot be used/,
    set({ LATCHKEY_STORE: "redis://:password@localhost:1" }),
  ],
  [
    "two instances have a file each",
    /^D38 .*one machine/,
    check({ LATCHKEY_STORE: "sqlite:data/latchkey.db", LATCHKEY_INSTANCES: "2" }),
  ],
  [
    "a restart in production forgets sessions",
    /^D38 .*memory/,
    check({ LATCHKEY_STORE: "memory:" }),
  ],
  [
    "back-channel logout has no store",
    /^D\d\d .*BACKCHANNEL/,
    set({ LATCHKEY_BACKCHANNEL_LOGOUT: "true" }),
  ],
  ["the secret is short", /^D03 .*32 bytes/, set({ LATCHKEY_SECRET: "kq9wXm2Zr4" })],
  [
    "the local provider is a dependency of production",
    /^D40 .*provider/,
    { files: { "package.json": '{"dependencies":{"@latchkey/provider":"0.1.0"}}' } },
  ],
  [
    "the framework is too old",
    /^D40 .*next/,
    {
      files: {
        "node_modules/latchkey/package.json":
          '{"version":"0.1.0","peerDependencies":{"next":">=15.5"}}',
        "node_modules/next/package.json": '{"version":"14.2.30"}',
      },
    },
  ],
  [
    "a package brings a copy of its own",
    /^D40 .*2 copies/,
    {
      files: {
        "node_modules/latchkey/package.json": '{"version":"0.1.0"}',
        "node_modules/@own/ui/node_modules/latchkey/package.json": '{"version":"0.0.9"}',
      },
    },
  ],
];

test.each(planted)("the first finding is the cause if %s", async (_name, expected, world) => {
  expect((await found(world))[0]).toMatch(expected);
});

test.skipIf(redis === null)("a Redis that forgets is found", async () => {
  const address = await redisAddress("--maxmemory", "20mb", "--maxmemory-policy", "allkeys-lru");
  const baseURL = "https://app.example.com";
  const world: World = {
    ...set({ LATCHKEY_STORE: address, LATCHKEY_BASE_URL: baseURL }),
    provider: { appURL: baseURL },
    args: () => ["doctor"],
  };
  expect((await found(world))[0]).toMatch(/^D38 /);
});
