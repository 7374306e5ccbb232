import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { defaultClientSecret } from "@latchkey/provider";
import { expect, onTestFinished, test } from "vitest";

import { writeFiles } from "../../../../test/cli/project.ts";
import { ownVariables } from "../../../config/environment.ts";
import { runChecks } from "../run-checks.ts";
import { knownToOthers } from "./known-variables.ts";
import { readProject } from "./project.ts";
import { settingChecks } from "./setting-checks.ts";

const healthy = {
  LATCHKEY_BASE_URL: "https://app.example.org",
  LATCHKEY_ISSUER_BASE_URL: "https://id.example.org",
  LATCHKEY_CLIENT_ID: "app",
  LATCHKEY_CLIENT_SECRET: "kq9wXm2Zr4LpV7nB",
  LATCHKEY_SECRET: "Jq3Ykq9wXm2Zr4LpV7nBT5dF8sH1gC6a",
};

interface Planted {
  /** Changes of the variables; `undefined` takes one away. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly isTracked?: boolean;
  readonly gitIgnore?: string;
  /** The settings are for another machine. */
  readonly isElsewhere?: boolean;
}

/** The ids of the checks that fail or warn, the first one first. */
function found({
  variables,
  environment = {},
  files = {},
  node = "24.0.0",
  isTracked,
  gitIgnore,
  isElsewhere,
}: Planted) {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = Object.entries({ ...healthy, ...variables }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  const all = { ".env.local": lines.join("\n"), ...files };
  writeFiles(folder, all);
  if (gitIgnore !== undefined) {
    execFileSync("git", ["init", "-q"], { cwd: folder });
    writeFileSync(path.join(folder, ".gitignore"), gitIgnore);
  }
  if (isTracked === true) {
    execFileSync("git", ["init", "-q"], { cwd: folder });
    execFileSync("git", ["add", "-f", ".env.local"], { cwd: folder });
  }
  const project = readProject(folder, environment, node, isElsewhere);
  const findings = runChecks(settingChecks, project, new Set());
  return findings
    .filter(({ verdict }) => verdict === "failure" || verdict === "warning")
    .map(({ id, verdict }) => `${id} ${verdict}`);
}

test("a healthy project has no finding", () => {
  expect(found({})).toEqual([]);
});

/** Its secrets are in files. */
const inFiles = {
  LATCHKEY_SECRET: undefined,
  LATCHKEY_CLIENT_SECRET: undefined,
  LATCHKEY_SECRET_FILE: "secrets/secret",
  LATCHKEY_CLIENT_SECRET_FILE: "secrets/client-secret",
};
const secretFiles = {
  "secrets/secret": `${healthy.LATCHKEY_SECRET}\n`,
  "secrets/client-secret": `${healthy.LATCHKEY_CLIENT_SECRET}\n`,
};

const pem = String.raw`-----BEGIN PRIVATE KEY-----\nabc`;

test.each<[string, Planted, string]>([
  [
    "a required setting is missing",
    { variables: { LATCHKEY_CLIENT_ID: undefined } },
    "D01 failure",
  ],
  [
    "a name is misspelt",
    { variables: { LATCHKEY_CLIENT_ID: undefined, LATCHKEY_CLIENTID: "app" } },
    "D02 failure",
  ],
  [
    "the prefix is misspelt",
    { variables: { LATCHKEY_SECRET: undefined, LATCHEY_SECRET: healthy.LATCHKEY_SECRET } },
    "D02 failure",
  ],
  [
    "a name is in small letters",
    { variables: { LATCHKEY_CLIENT_ID: undefined, latchkey_client_id: "app" } },
    "D02 failure",
  ],
  [
    "a name of the web application is misspelt",
    { variables: { LATCHKEY_DRAIN_DELY: "5" } },
    "D02 failure",
  ],
  [
    "a secret is set twice",
    { variables: { LATCHKEY_SECRET_FILE: "secrets/secret" }, files: secretFiles },
    "D02 warning",
  ],
  ["a file with a secret is missing", { variables: inFiles }, "D03 failure"],
  [
    "a file with a secret is empty",
    { variables: inFiles, files: { ...secretFiles, "secrets/secret": "\n" }, isElsewhere: true },
    "D03 failure",
  ],
  [
    "the secret of a file is short",
    { variables: inFiles, files: { ...secretFiles, "secrets/secret": "kq9wXm2Zr4" } },
    "D03 warning",
  ],
  [
    "the client secret is that of the local provider, and the provider is another one",
    { variables: { LATCHKEY_CLIENT_SECRET: defaultClientSecret } },
    "D03 failure",
  ],
  ["the secret is short", { variables: { LATCHKEY_SECRET: "kq9wXm2Zr4" } }, "D03 warning"],
  ["the secret is a placeholder", { variables: { LATCHKEY_SECRET: "<secret>" } }, "D03 failure"],
  [
    "the secret is the client secret",
    { variables: { LATCHKEY_CLIENT_SECRET: healthy.LATCHKEY_SECRET } },
    "D03 failure",
  ],
  ["the secret is in git", { isTracked: true }, "D03 failure"],
  ["git does not ignore the secret", { gitIgnore: "dist\n" }, "D03 warning"],
  [
    "an unquoted value has a number sign",
    { variables: { LATCHKEY_CLIENT_SECRET: "kq9wXm2Zr4#LpV7nB" } },
    "D04 failure",
  ],
  [
    "quotation marks are part of a value",
    { variables: { LATCHKEY_CLIENT_ID: `"'app'"` } },
    "D04 failure",
  ],
  ["a file begins with a byte order mark", { files: { ".env": "\uFEFFA=1\n" } }, "D04 failure"],
  ["a file is UTF-16", { files: { ".env": "A\0=\x001\0" } }, "D04 failure"],
  ["a value ends with a space", { variables: { LATCHKEY_CLIENT_ID: `"app "` } }, "D04 warning"],
  [
    "a key has \\n as text",
    { variables: { LATCHKEY_CLIENT_ASSERTION_SIGNING_KEY: pem } },
    "D04 failure",
  ],
  [
    "the shell has another value than the file",
    { environment: { LATCHKEY_CLIENT_ID: "other" } },
    "D05 failure",
  ],
  [
    "the issuer is the address of the metadata",
    {
      variables: {
        LATCHKEY_ISSUER_BASE_URL: "https://id.example.org/.well-known/openid-configuration",
      },
    },
    "D06 failure",
  ],
  [
    "the issuer is http",
    { variables: { LATCHKEY_ISSUER_BASE_URL: "http://id.example.org" } },
    "D06 failure",
  ],
  [
    "the issuer has a placeholder",
    { variables: { LATCHKEY_ISSUER_BASE_URL: "https://login.example.org/{tenant}" } },
    "D06 failure",
  ],
  [
    "the issuer is that of every tenant",
    { variables: { LATCHKEY_ISSUER_BASE_URL: "https://login.microsoftonline.com/common/v2.0" } },
    "D06 failure",
  ],
  [
    "the base URL is http",
    { variables: { LATCHKEY_BASE_URL: "http://app.example.org" } },
    "D07 failure",
  ],
  [
    "the base URL is localhost in production",
    {
      variables: { LATCHKEY_BASE_URL: "http://localhost:3000" },
      environment: { NODE_ENV: "production" },
    },
    "D07 failure",
  ],
  [
    "the base URL is that of a route",
    { variables: { LATCHKEY_BASE_URL: "https://app.example.org/api/auth" } },
    "D07 failure",
  ],
  [
    "a cookie is strict, and the provider is on another site",
    {
      variables: {
        LATCHKEY_SESSION_COOKIE_SAME_SITE: "strict",
        LATCHKEY_ISSUER_BASE_URL: "https://id.example.com",
      },
    },
    "D08 failure",
  ],
  [
    "a cookie is strict, and the provider is below the same public suffix",
    {
      variables: {
        LATCHKEY_SESSION_COOKIE_SAME_SITE: "strict",
        LATCHKEY_BASE_URL: "https://app.vercel.app",
        LATCHKEY_ISSUER_BASE_URL: "https://id.vercel.app",
      },
    },
    "D08 failure",
  ],
  [
    "Cognito is asked for offline_access",
    {
      variables: {
        LATCHKEY_ISSUER_BASE_URL: "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_A",
        LATCHKEY_SCOPE: "openid offline_access",
      },
    },
    "D10 failure",
  ],
  [
    "the domain of a cookie is another one",
    { variables: { LATCHKEY_SESSION_COOKIE_DOMAIN: "example.com" } },
    "D08 failure",
  ],
  [
    "the domain of a cookie is a public suffix",
    {
      variables: {
        LATCHKEY_BASE_URL: "https://app.example.co.uk",
        LATCHKEY_SESSION_COOKIE_DOMAIN: ".co.uk",
      },
    },
    "D08 failure",
  ],
  [
    "a public path has an asterisk",
    { variables: { LATCHKEY_PUBLIC_PATHS: "/assets/*" } },
    "D09 failure",
  ],
  ["the scope has no openid", { variables: { LATCHKEY_SCOPE: "profile" } }, "D10 failure"],
  [
    "Google is asked for offline_access",
    {
      variables: {
        LATCHKEY_ISSUER_BASE_URL: "https://accounts.google.com",
        LATCHKEY_SCOPE: "openid offline_access",
      },
    },
    "D10 failure",
  ],
  [
    "form_post over http",
    { variables: { LATCHKEY_RESPONSE_MODE: "query", LATCHKEY_RESPONSE_TYPE: "id_token" } },
    "D11 failure",
  ],
  ["Node is too old", { node: "20.20.0" }, "D40 failure"],
  [
    "the local provider is a dependency of production",
    { files: { "package.json": '{"dependencies":{"@latchkey/provider":"0.1.0"}}' } },
    "D40 warning",
  ],
  [
    "a framework is older than the package supports",
    {
      files: {
        "node_modules/latchkey/package.json": '{"peerDependencies":{"next":">=15.5"}}',
        "node_modules/next/package.json": '{"version":"14.2.30"}',
      },
    },
    "D40 failure",
  ],
  [
    "two copies of the package are installed",
    {
      files: {
        "node_modules/latchkey/package.json": '{"version":"0.1.0"}',
        "node_modules/other/node_modules/latchkey/package.json": '{"version":"0.0.9"}',
      },
    },
    "D40 warning",
  ],
])("the first finding is the cause if %s", (_what, planted, expected) => {
  expect(found(planted)[0]).toBe(expected);
});

test.each<[string, Planted]>([
  [
    "the app listens on this machine",
    { variables: { LATCHKEY_BASE_URL: "http://localhost:3000" } },
  ],
  ["a file has CRLF line ends", { files: { ".env": "NODE_OPTIONS=\r\nOTHER=1\r\n" } }],
  ["git ignores the secret", { gitIgnore: ".env*.local\n" }],
  ["a comment stands after a value", { files: { ".env": "LATCHKEY_CLIENT_ID=app # ours\n" } }],
  [
    "a value between quotation marks has a number sign",
    { variables: { LATCHKEY_CLIENT_SECRET: '"kq9wXm2Zr4#LpV7nB"' } },
  ],
  ["a file overrides another one", { files: { ".env": "LATCHKEY_CLIENT_ID=other" } }],
  ["two files have the same value", { files: { ".env": "LATCHKEY_CLIENT_ID=app" } }],
  ["a variable is of the local provider", { variables: { LATCHKEY_PROVIDER_PORT: "4001" } }],
  [
    "a second secret is the former one",
    { variables: { LATCHKEY_SECRET: `${healthy.LATCHKEY_SECRET} old-one-8` } },
  ],
  [
    "an env file without secrets is in git",
    {
      variables: { LATCHKEY_SECRET: undefined, LATCHKEY_CLIENT_SECRET: undefined },
      environment: healthy,
      isTracked: true,
    },
  ],
  [
    "the provider is for development",
    { files: { "package.json": '{"devDependencies":{"@latchkey/provider":"0.1.0"}}' } },
  ],
  [
    "Google gets access_type=offline",
    {
      variables: {
        LATCHKEY_ISSUER_BASE_URL: "https://accounts.google.com",
        LATCHKEY_AUTHORIZATION_PARAMS: "access_type=offline&prompt=consent",
      },
    },
  ],
  [
    "a cookie is strict, and the provider is on the site of the app",
    { variables: { LATCHKEY_SESSION_COOKIE_SAME_SITE: "strict" } },
  ],
  [
    "a framework has the oldest supported version",
    {
      files: {
        "node_modules/latchkey/package.json":
          '{"peerDependencies":{"next":">=15.5","pg":">=8.15"}}',
        "node_modules/next/package.json": '{"version":"15.5.0-canary.1"}',
        "node_modules/pg/package.json": '{"version":"10.1.0"}',
      },
    },
  ],
  ["secrets are in files", { variables: inFiles, files: secretFiles }],
  ["the deployment brings the files with secrets", { variables: inFiles, isElsewhere: true }],
  [
    "the client is the default one of the local provider",
    {
      variables: {
        LATCHKEY_BASE_URL: "http://localhost:3000",
        LATCHKEY_ISSUER_BASE_URL: "http://localhost:4000",
        LATCHKEY_CLIENT_SECRET: defaultClientSecret,
      },
    },
  ],
  ["a variable of another program resembles none", { variables: { CATKEY_SECRET: "1" } }],
])("nothing is found if %s", (_what, planted) => {
  expect(found(planted)).toEqual([]);
});

test("every variable of the web application and of its deployments is known", () => {
  const root = path.join(import.meta.dirname, "../../../../../..");
  const texts = [
    ...["brand", "check", "operation"].map(
      (name) => `apps/web/src/start/settings/${name}-settings.ts`,
    ),
    "apps/web/src/start/settings/settings.ts",
    "examples/deploy/compose.yaml",
    "examples/deploy/kubernetes/latchkey.yaml",
    "examples/deploy/systemd/latchkey.service",
  ].map((name) => readFileSync(path.join(root, name), "utf8"));
  const used = texts.join().match(/\bLATCHKEY_[A-Z_]*[A-Z]\b/g) ?? [];
  const known = [...ownVariables, ...knownToOthers];
  expect(used.length).toBeGreaterThan(100);
  expect(
    used.filter((name) => !known.includes(name) && !name.startsWith("LATCHKEY_PROVIDER_")),
  ).toEqual([]);
});
