import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Environment } from "latchkey";
import { describe, expect, test } from "vitest";

import { runApp } from "../running-app.support.ts";
import { readAppSettings } from "./settings.ts";

const good: Environment = {
  LATCHKEY_BASE_URL: "https://app.example.com/signin",
  LATCHKEY_CHECK_PORT: "3001",
  LATCHKEY_CHECK_RULES: '{ "app.example.com": "signed-in" }',
};

const messagesOf = (environment: Environment) =>
  readAppSettings(environment).faults.map(({ variable, message }) => `${variable} ${message}`);

describe("the settings of the check", () => {
  test("without a variable of the check there is none", () => {
    expect(readAppSettings({}).settings.check).toBeUndefined();
    expect(messagesOf({})).toEqual([]);
  });

  test("a port and one word for a host are enough", () => {
    expect(messagesOf(good)).toEqual([]);
    expect(readAppSettings(good).settings.check).toMatchObject({
      port: 3001,
      origins: ["https://app.example.com"],
      hosts: [{ host: "app.example.com", rules: [{ path: "/", access: "signed-in" }] }],
      identity: { preset: "latchkey", userClaim: "sub", groupsClaim: "groups" },
    });
  });

  test("the rules may be in a file", () => {
    const folder = mkdtempSync(join(tmpdir(), "latchkey-check-"));
    const file = join(folder, "rules.json");
    writeFileSync(file, '{ "App.Example.com": { "GET /a/": "public", "/": "optional" } }');
    const { settings } = readAppSettings({ ...good, LATCHKEY_CHECK_RULES: file });
    rmSync(folder, { recursive: true });
    expect(settings.check?.hosts).toEqual([
      {
        host: "app.example.com",
        rules: [
          { method: "GET", path: "/a", access: "public" },
          { method: undefined, path: "/", access: "optional" },
        ],
      },
    ]);
  });

  test.each<[string, Environment, RegExp]>([
    ["no port", { LATCHKEY_CHECK_PORT: "" }, /^LATCHKEY_CHECK_PORT is required/],
    [
      "the port of the app",
      { LATCHKEY_CHECK_PORT: "3000" },
      /^LATCHKEY_CHECK_PORT must be no port/,
    ],
    [
      "the port of the probes",
      { LATCHKEY_HEALTH_PORT: "3001" },
      /^LATCHKEY_CHECK_PORT must be no port/,
    ],
    ["no rules", { LATCHKEY_CHECK_RULES: "" }, /^LATCHKEY_CHECK_RULES is required/],
    ["rules that are no JSON", { LATCHKEY_CHECK_RULES: "{ a" }, /RULES cannot be read: /],
    ["a missing file", { LATCHKEY_CHECK_RULES: "/no/file.json" }, /RULES cannot be read: ENOENT/],
    ["no host", { LATCHKEY_CHECK_RULES: "{}" }, /must name at least one host/],
    [
      "an address in place of a host",
      { LATCHKEY_CHECK_RULES: '{ "https://app.example.com": "public" }' },
      /must be a host such as/,
    ],
    [
      "a wildcard",
      { LATCHKEY_CHECK_RULES: '{ "*.example.com": "public" }' },
      /must be a host such as/,
    ],
    [
      "an unknown word",
      { LATCHKEY_CHECK_RULES: '{ "app.example.com": { "/": "open" } }' },
      /\["app\.example\.com"\]\["\/"\] must be public, optional, signed-in, or an object/,
    ],
    [
      "a path without a slash",
      { LATCHKEY_CHECK_RULES: '{ "app.example.com": { "admin": "public" } }' },
      /must be a path such as \/admin/,
    ],
    [
      "a host outside the domain of the cookie",
      { LATCHKEY_CHECK_RULES: '{ "wiki.example.com": "signed-in" }' },
      /names wiki\.example\.com, whose users would not bring the session cookie of app\.example\.com/,
    ],
    [
      "a cookie domain of another site",
      {
        LATCHKEY_CHECK_RULES: '{ "wiki.example.com": "signed-in" }',
        LATCHKEY_SESSION_COOKIE_DOMAIN: "ample.com",
      },
      /names wiki\.example\.com/,
    ],
    ["sessions in cookies", { LATCHKEY_SESSION_STATEFUL: "false" }, /^LATCHKEY_SESSION_STATEFUL/],
    ["an unknown preset", { LATCHKEY_CHECK_HEADERS: "x" }, /must be one of latchkey, x-auth-/],
  ])("%s is one fault with a remedy", (_, change, message) => {
    const environment = { ...good, ...change };
    expect(messagesOf(environment)).toEqual([expect.stringMatching(message)]);
    expect(readAppSettings(environment).faults[0]?.remedy).not.toBe("");
  });

  test("rules that have lost their quotes in a shell lead to the right ones", () => {
    const rules = { LATCHKEY_CHECK_RULES: "{app.example.com:signed-in}" };
    const [fault] = readAppSettings({ ...good, ...rules }).faults;
    expect(fault?.remedy).toContain("in single quotes if a shell reads it");
  });

  test("a host below the domain of the cookie is none", () => {
    const environment = {
      ...good,
      LATCHKEY_CHECK_RULES: '{ "wiki.example.com:8443": "signed-in" }',
      LATCHKEY_SESSION_COOKIE_DOMAIN: ".Example.com",
    };
    expect(messagesOf(environment)).toEqual([]);
  });

  test("requirements that the engine does not know end the start", async () => {
    const starting = runApp({
      LATCHKEY_BASE_URL: "http://localhost:3000",
      LATCHKEY_CHECK_PORT: "0",
      LATCHKEY_CHECK_RULES: '{ "localhost:3000": { "/admin": { "roles": "admin" } } }',
    });
    await expect(starting).rejects.toThrow(
      /LATCHKEY_CHECK_RULES.*\["localhost:3000"\]\["\/admin"\] This is no access rule: roles/,
    );
  });

  test("a connection that is in no settings ends the start [MX-078]", async () => {
    const starting = runApp({
      LATCHKEY_BASE_URL: "http://localhost:3000",
      LATCHKEY_CHECK_PORT: "0",
      LATCHKEY_CHECK_RULES: JSON.stringify({
        "localhost:3000": { "/own": { connection: "default" }, "/x": { connection: "acme" } },
      }),
    });
    await expect(starting).rejects.toThrow(
      /LATCHKEY_CHECK_RULES.*\["localhost:3000"\]\["\/x"\] requires the connection acme/,
    );
  });
});
