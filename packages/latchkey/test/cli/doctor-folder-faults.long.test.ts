import { symlinkSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { check, found, nothingSet, offline, type Planted } from "./doctor-cases.ts";
import { clientSecret, runDoctor, secret, type World } from "./doctor-world.ts";

const env = (more: Readonly<Record<string, string>>, extra = ""): string =>
  Object.entries({
    LATCHKEY_BASE_URL: "http://localhost:3000",
    LATCHKEY_ISSUER_BASE_URL: "https://id.example.com",
    LATCHKEY_CLIENT_ID: "app",
    LATCHKEY_CLIENT_SECRET: clientSecret,
    LATCHKEY_SECRET: secret,
    ...more,
  })
    .map(([name, value]) => `${name}=${value}`)
    .join("\n") + extra;

/** A folder with these files, judged without a request. */
const folder = (files: Readonly<Record<string, string>>, more: Partial<World> = {}): World => ({
  ...nothingSet,
  ...offline,
  ...more,
  files,
});

const manifest = (dependencies: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ dependencies, ...more });

const compose = (more: string): string =>
  `services:\n  app:\n    build: .\n    environment:\n      NODE_ENV: production\n${more}`;

const values: readonly Planted[] = [
  [
    "a zero-width space is in the client id",
    /^D04 .*CLIENT_ID has an invisible character in it, U\+200B/,
    folder({ ".env.local": env({ LATCHKEY_CLIENT_ID: "a\u200Bpp" }) }),
  ],
  [
    "a no-break space is at the end of the secret",
    /^D04 .*CLIENT_SECRET has an invisible .*U\+00A0/,
    folder({ ".env.local": env({ LATCHKEY_CLIENT_SECRET: `${clientSecret}\u00A0` }) }),
  ],
  [
    "a name has an invisible character",
    /^D04 .*LATCHKEY_SECRET has an invisible/,
    folder({ ".env.local": env({}).replace("LATCHKEY_SECRET=", "LATCHKEY_SECRET\u200B=") }),
  ],
  [
    "a program for texts has put curly quotation marks",
    /^D04 .*program for texts/,
    folder({ ".env.local": env({ LATCHKEY_CLIENT_ID: "“app”" }) }),
  ],
  [
    "a dash is in place of a hyphen",
    /^D04 .*–.*program for texts/,
    folder({ ".env.local": env({ LATCHKEY_CLIENT_ID: "my–app" }) }),
  ],
  [
    "a value begins with a number sign",
    /^D04 .*# in LATCHKEY_CLIENT_SECRET/,
    folder({ ".env.local": env({ LATCHKEY_CLIENT_SECRET: "#Wm8Tc5RfZ2xKqH7vNb4LpDy9" }) }),
  ],
  [
    "Next.js expands a dollar",
    /^D04 .*\$ in LATCHKEY_CLIENT_SECRET, and Next\.js/,
    folder({
      ".env.local": env({ LATCHKEY_CLIENT_SECRET: "Wm8Tc5$fZ2xKqH7vNb4LpDy9" }),
      "package.json": manifest({ next: "16.0.0" }),
    }),
  ],
  [
    "Nuxt expands a dollar between quotation marks",
    /^D04 .*\$ in LATCHKEY_SECRET, and Nuxt/,
    folder({
      ".env": env({ LATCHKEY_SECRET: '"Wm8Tc5${RfZ2}xKqH7vNb4LpDy9Wm8Tc5RfZ2xKq"' }),
      "package.json": manifest({ nuxt: "4.0.0" }),
    }),
  ],
  [
    "a quotation mark has no end",
    /^D04 .*CLIENT_ID has no end/,
    folder({ ".env.local": env({ LATCHKEY_CLIENT_ID: '"app' }) }),
  ],
  [
    "a quotation mark swallows the next lines",
    /^D04 .*CLIENT_ID has no end/,
    folder({ ".env.local": env({ LATCHKEY_CLIENT_ID: '"app', LATCHKEY_SECRET: `"${secret}"` }) }),
  ],
  [
    "a value goes on after its quotation marks",
    /^D04 .*after the closing/,
    folder({ ".env.local": env({ LATCHKEY_CLIENT_ID: '"app"-1' }) }),
  ],
  [
    "a shell has kept the quotation marks",
    /^D04 .*quotation marks are part of LATCHKEY_CLIENT_ID/,
    check({ LATCHKEY_CLIENT_ID: '"app"' }),
  ],
  [
    "a shell has kept a carriage return",
    /^D04 .*carriage return/,
    check({ LATCHKEY_CLIENT_SECRET: `${clientSecret}\r` }),
  ],
  [
    "the lines of the file end with a carriage return alone",
    /^D04 .*without line feeds/,
    folder({ ".env.local": env({}).replaceAll("\n", "\r") }),
  ],
  [
    "the file is in another encoding",
    /^D04 .*UTF-8/,
    folder({ ".env.local": env({}).replaceAll(/(?=.)/gs, "\0") }),
  ],
  [
    "a variable is set twice in a file",
    /^D05 .*CLIENT_ID is set twice in \.env\.local/,
    folder({ ".env.local": env({}, "\nLATCHKEY_CLIENT_ID=other\n") }),
  ],
  [
    "the shell has the client secret of another project",
    /^D05 .*LATCHKEY_CLIENT_SECRET/,
    folder(
      { ".env.local": env({}) },
      { environment: () => ({ LATCHKEY_CLIENT_SECRET: "other-8Tc5Rf" }) },
    ),
  ],
  [
    "the file has an ending that no loader reads",
    /^D01 .*\.env\.local\.txt has some/,
    folder({ ".env.local.txt": env({}) }),
  ],
  [
    "the path of the cookie leaves the routes out",
    /^D08 .*COOKIE_PATH/,
    folder({ ".env.local": env({ LATCHKEY_SESSION_COOKIE_PATH: "/app" }) }),
  ],
  [
    "a duration is in other units",
    /^D08 .*ends after 5 s/,
    folder({ ".env.local": env({ LATCHKEY_SESSION_ROLLING_DURATION: "5" }) }),
  ],
  [
    "only the example has variables",
    /^D01 .*\.env\.example has some/,
    folder({ ".env.example": env({}) }),
  ],
];

const deployments: readonly Planted[] = [
  [
    "a container gets the provider at localhost",
    /^D06 .*compose\.yaml gives a container LATCHKEY_ISSUER_BASE_URL at localhost:8080/,
    folder({
      ".env.local": env({}),
      "compose.yaml": compose(
        "      LATCHKEY_ISSUER_BASE_URL: http://localhost:8080/realms/wiki\n",
      ),
    }),
  ],
  [
    "a container reads the file with localhost",
    /^D06 .*docker-compose\.yml gives a container/,
    folder({
      ".env": env({ LATCHKEY_ISSUER_BASE_URL: "http://localhost:4000" }),
      "docker-compose.yml": "services:\n  app:\n    build: .\n    env_file:\n      - .env\n",
    }),
  ],
  [
    "a container gets the store at localhost",
    /^D38 .*LATCHKEY_STORE at localhost:6379/,
    folder({
      ".env.local": env({ LATCHKEY_STORE: "redis://redis:6379" }),
      "compose.yaml": compose('      - "LATCHKEY_STORE=redis://localhost:6379"\n'),
    }),
  ],
  [
    "PM2 starts a process for each core",
    /^D38 .*ecosystem\.config\.cjs starts several/,
    folder({
      ".env.local": env({ LATCHKEY_STORE: "memory:" }),
      "ecosystem.config.cjs": 'module.exports = { apps: [{ script: "s.js", instances: "max" }] };',
    }),
  ],
  [
    "WEB_CONCURRENCY starts several processes",
    /^D38 .*WEB_CONCURRENCY is 4/,
    folder({ ".env.local": env({ LATCHKEY_STORE: "memory:", WEB_CONCURRENCY: "4" }) }),
  ],
  [
    "the server forks by cluster",
    /^D38 .*server\.js starts several/,
    folder({
      ".env.local": env({ LATCHKEY_STORE: "memory:" }),
      "server.js": 'import cluster from "node:cluster";\ncluster.fork();\n',
    }),
  ],
  [
    "a script starts PM2 with several processes",
    /^D38 .*script start starts several/,
    folder({
      ".env.local": env({ LATCHKEY_STORE: "memory:" }),
      "package.json": manifest({}, { scripts: { start: "pm2 start server.js -i max" } }),
    }),
  ],
  [
    "Kubernetes starts replicas with a file each",
    /^D38 .*sqlite:, and k8s\/app\.yaml starts several/,
    folder({
      ".env.local": env({ LATCHKEY_STORE: "sqlite:data/latchkey.db" }),
      "k8s/app.yaml": "apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 3\n",
    }),
  ],
  [
    "SvelteKit refuses logout tokens",
    /^D41 .*SvelteKit/,
    folder({
      ".env.local": env({ LATCHKEY_BACKCHANNEL_LOGOUT: "true", LATCHKEY_STORE: "redis://r:1" }),
      "package.json": manifest({ "@sveltejs/kit": "2.0.0" }),
      "svelte.config.js": "export default { kit: {} };",
    }),
  ],
  [
    "Astro refuses logout tokens",
    /^D41 .*Astro/,
    folder({
      ".env.local": env({ LATCHKEY_BACKCHANNEL_LOGOUT: "true", LATCHKEY_STORE: "redis://r:1" }),
      "package.json": manifest({ astro: "6.0.0" }),
      "astro.config.mjs": "export default defineConfig({ output: 'server' });",
    }),
  ],
];

test.each([...values, ...deployments])(
  "the first finding is the cause if %s",
  async (_name, expected, world) => {
    expect((await found(world))[0]).toMatch(expected);
  },
);

test.each([
  [
    "the shell hides half of a client",
    folder({ ".env.local": env({}) }, { environment: () => ({ LATCHKEY_CLIENT_ID: "other" }) }),
  ],
  [
    "memory is the store of several processes",
    folder({ ".env.local": env({ LATCHKEY_STORE: "memory:", WEB_CONCURRENCY: "2" }) }),
  ],
])("the exit code is 1 if %s", async (_name, world) => {
  expect((await runDoctor(world)).exitCode).toBe(1);
});

const healthy: readonly (readonly [string, World])[] = [
  [
    "a name with a dash, and a link to no file",
    folder(
      { ".env.local": env({ LATCHKEY_PROVIDER_APP_NAME: "Ward – 3" }) },
      { prepare: (at) => symlinkSync("missing", path.join(at, "my.env")) },
    ),
  ],
  [
    "a container that reads the metadata at another address",
    folder({
      ".env.local": env({}),
      "compose.yaml": compose(
        "      LATCHKEY_ISSUER_BASE_URL: http://localhost:8080\n      LATCHKEY_METADATA_URL: http://keycloak:8080/.well-known/openid-configuration\n",
      ),
    }),
  ],
  ["a byte order mark before a comment", folder({ ".env.local": `\uFEFF# of Ada\n${env({})}` })],
  ["a byte order mark before an empty line", folder({ ".env.local": `\uFEFF\n${env({})}` })],
  ["CRLF", folder({ ".env.local": env({}).replaceAll("\n", "\r\n") })],
  [
    "a dollar that Node keeps",
    folder({ ".env.local": env({ LATCHKEY_CLIENT_SECRET: "'Wm8$Tc5RfZ2xKqH7vNb4LpDy9'" }) }),
  ],
  [
    "a dollar that is escaped for Next.js",
    folder({
      ".env.local": env({ LATCHKEY_CLIENT_SECRET: "Wm8\\$Tc5RfZ2xKqH7vNb4LpDy9" }),
      "package.json": manifest({ next: "16.0.0" }),
    }),
  ],
  [
    "a comment after a value",
    folder({ ".env.local": env({ LATCHKEY_CLIENT_ID: "app # of the wiki" }) }),
  ],
  [
    "one process of PM2",
    folder({
      ".env.local": env({ LATCHKEY_STORE: "memory:" }),
      "ecosystem.config.js": "module.exports = { apps: [{ instances: 1 }] };",
    }),
  ],
  [
    "replicas with a shared store",
    folder({
      ".env.local": env({ LATCHKEY_STORE: "redis://r:1" }),
      "compose.yaml": compose("    deploy:\n      replicas: 3\n"),
    }),
  ],
  [
    "containers with services by their names",
    folder({
      ".env.local": env({ LATCHKEY_STORE: "redis://r:1" }),
      "compose.yaml": compose(
        "      LATCHKEY_STORE: redis://redis:6379\n      LATCHKEY_ISSUER_BASE_URL: https://id.example.com\n",
      ),
    }),
  ],
  [
    "SvelteKit without its check",
    folder({
      ".env.local": env({ LATCHKEY_BACKCHANNEL_LOGOUT: "true", LATCHKEY_STORE: "redis://r:1" }),
      "package.json": manifest({ "@sveltejs/kit": "2.0.0" }),
      "vite.config.ts": 'sveltekit({ csrf: { trustedOrigins: ["*"] } })',
    }),
  ],
];

test.each(healthy)("nothing is found of %s", async (_name, world) => {
  expect(await found(world)).toEqual([]);
});
