import { describe, expect, it } from "vitest";
import { settingsFromEnvironment } from "./environment.ts";

describe("settingsFromEnvironment", () => {
  it("listens on 4000 and keeps its data in .data/provider by default", () => {
    expect(settingsFromEnvironment({})).toEqual({
      port: 4000,
      dataFolder: ".data/provider",
      client: {},
    });
  });

  it("reads every setting", () => {
    expect(
      settingsFromEnvironment({
        PORT: "4101",
        LATCHKEY_PROVIDER_APP_URL: "http://localhost:3100",
        LATCHKEY_PROVIDER_CLIENT_ID: "mine",
        LATCHKEY_PROVIDER_CLIENT_SECRET: "secret",
        LATCHKEY_PROVIDER_REDIRECT_URI: "http://localhost:3100/back",
        LATCHKEY_PROVIDER_DATA: "/tmp/x",
        LATCHKEY_PROVIDER_CLAIMS_IN: "userinfo",
        LATCHKEY_PROVIDER_CLIENT_AUTH_METHOD: "client_secret_post",
        LATCHKEY_PROVIDER_ID_TOKEN_SIGNING_ALG: "ES256",
      }),
    ).toEqual({
      port: 4101,
      appURL: "http://localhost:3100",
      clientID: "mine",
      clientSecret: "secret",
      redirectURI: "http://localhost:3100/back",
      dataFolder: "/tmp/x",
      claimsIn: "userinfo",
      client: { authMethod: "client_secret_post", idTokenSigningAlg: "ES256" },
    });
  });

  it.each([
    ["PORT", "many", 'PORT must be a port number, got "many".'],
    ["LATCHKEY_PROVIDER_APP_URL", "localhost:3000", "LATCHKEY_PROVIDER_APP_URL must be"],
    ["LATCHKEY_PROVIDER_CLAIMS_IN", "nowhere", "LATCHKEY_PROVIDER_CLAIMS_IN must be one of"],
  ])("refuses a wrong %s by its name", (name, value, message) => {
    expect(() => settingsFromEnvironment({ [name]: value })).toThrow(message);
  });
});
