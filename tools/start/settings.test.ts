import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { customersOf, localSecrets, startSettings } from "./settings.ts";

const secrets = { session: "session-secret", client: "client-secret" };

function settings(environment: Record<string, string>) {
  return startSettings(environment, "/data", () => secrets);
}

describe("npm start without a provider", () => {
  it("starts the local provider with the client of the application", () => {
    const { app, provider } = settings({});
    expect(app).toMatchObject({
      PORT: "3000",
      LATCHKEY_BASE_URL: "http://localhost:3000",
      LATCHKEY_ISSUER_BASE_URL: "http://localhost:4000",
      LATCHKEY_SECRET: "session-secret",
      LATCHKEY_STORE: "sqlite:/data/app/latchkey.db",
      LATCHKEY_SESSION_STATEFUL: "true",
      LATCHKEY_BACKCHANNEL_LOGOUT: "true",
    });
    expect(provider?.env).toEqual({
      LATCHKEY_PROVIDER_PORT: "4000",
      LATCHKEY_PROVIDER_APP_NAME: "Latchkey",
      LATCHKEY_PROVIDER_CLIENT_ID: app.LATCHKEY_CLIENT_ID,
      LATCHKEY_PROVIDER_CLIENT_SECRET: "client-secret",
      LATCHKEY_PROVIDER_APP_URL: "http://localhost:3000",
      LATCHKEY_PROVIDER_DATA: "/data/provider",
    });
  });

  it("uses the ports and names from the environment", () => {
    const { app, provider, baseURL } = settings({
      PORT: "3100",
      LATCHKEY_PROVIDER_PORT: "3101",
      LATCHKEY_CLIENT_ID: "mine",
    });
    expect(baseURL).toBe("http://localhost:3100");
    expect(app).toMatchObject({ PORT: "3100", LATCHKEY_ISSUER_BASE_URL: "http://localhost:3101" });
    expect(provider?.env).toMatchObject({
      LATCHKEY_PROVIDER_PORT: "3101",
      LATCHKEY_PROVIDER_CLIENT_ID: "mine",
    });
  });

  it.each(["abc", "0", "70000", "3000.5"])("names the variable when a port is %s", (port) => {
    expect(() => settings({ PORT: port })).toThrow(/^PORT must be a port number/);
    expect(() => settings({ LATCHKEY_PROVIDER_PORT: port })).toThrow(
      /^LATCHKEY_PROVIDER_PORT must/,
    );
  });
});

describe("npm start with customers", () => {
  it("lets the provider of each customer end sessions", () => {
    const variables = {
      LATCHKEY_CONNECTIONS: "acme globex-eu",
      LATCHKEY_CONNECTION_ACME_ISSUER_BASE_URL: "http://localhost:4000/acme",
      LATCHKEY_CONNECTION_GLOBEX_EU_ISSUER_BASE_URL: "http://localhost:4000/globex-eu",
    };
    expect(customersOf(variables)).toEqual({
      ...variables,
      LATCHKEY_CONNECTION_ACME_BACKCHANNEL_LOGOUT: "true",
      LATCHKEY_CONNECTION_GLOBEX_EU_BACKCHANNEL_LOGOUT: "true",
    });
    expect(customersOf({})).toEqual({});
  });
});

describe("npm start with a provider", () => {
  it("starts nothing local and invents no secret", () => {
    const start = startSettings(
      { LATCHKEY_ISSUER_BASE_URL: "https://idp.example" },
      "/data",
      () => {
        throw new Error("no secret is needed");
      },
    );
    expect(start.provider).toBeUndefined();
    expect(Object.keys(start.app).toSorted()).toEqual([
      "HOST",
      "LATCHKEY_BASE_URL",
      "LATCHKEY_SESSION_STATEFUL",
      "LATCHKEY_STORE",
      "PORT",
    ]);
  });
});

describe("the secrets of this machine", () => {
  it("are made once, long, and readable by this account only", () => {
    const folder = path.join(mkdtempSync(path.join(tmpdir(), "latchkey-secrets-")), "data");
    onTestFinished(() => rmSync(path.dirname(folder), { recursive: true }));
    const first = localSecrets(folder);
    const file = path.join(folder, "local-secrets.json");
    expect(localSecrets(folder)).toEqual(first);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(first.session).not.toBe(first.client);
    expect(Buffer.from(first.session, "base64url")).toHaveLength(32);
  });
});
