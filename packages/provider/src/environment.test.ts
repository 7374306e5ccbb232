import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { customersFromEnvironment, settingsFromEnvironment } from "./environment.ts";
import { clientsOf } from "./local/clients.ts";

describe("settingsFromEnvironment", () => {
  it("returns port 4000 and the folder .data/provider by default", () => {
    expect(settingsFromEnvironment({})).toEqual({
      port: 4000,
      dataFolder: ".data/provider",
      client: {},
    });
  });

  it("reads every setting", () => {
    expect(
      settingsFromEnvironment({
        LATCHKEY_PROVIDER_PORT: "4101",
        LATCHKEY_PROVIDER_APP_NAME: "My app",
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
      appName: "My app",
      clientID: "mine",
      clientSecret: "secret",
      redirectURI: "http://localhost:3100/back",
      dataFolder: "/tmp/x",
      claimsIn: "userinfo",
      client: { authMethod: "client_secret_post", idTokenSigningAlg: "ES256" },
    });
  });

  it("reads the base URLs of an app with several hosts", () => {
    const text = " http://localhost:3100 http://shop.localhost:3100";
    const { appURL } = settingsFromEnvironment({ LATCHKEY_PROVIDER_APP_URL: text });
    expect(appURL).toEqual(["http://localhost:3100", "http://shop.localhost:3100"]);
  });

  it.each([
    ["LATCHKEY_PROVIDER_APP_URL", "http://localhost:3100 shop", 'address, got "shop"'],
    ["LATCHKEY_PROVIDER_PORT", "many", 'LATCHKEY_PROVIDER_PORT must be a port number, got "many".'],
    ["LATCHKEY_PROVIDER_APP_URL", "localhost:3000", "LATCHKEY_PROVIDER_APP_URL must be"],
    ["LATCHKEY_PROVIDER_CLAIMS_IN", "nowhere", "LATCHKEY_PROVIDER_CLAIMS_IN must be one of"],
  ])("throws an error with the name of a wrong %s", (name, value, message) => {
    expect(() => settingsFromEnvironment({ [name]: value })).toThrow(message);
  });
});

describe("the table of variables in the README", () => {
  it("lists exactly the variables of the command", async () => {
    const read: string[] = [];
    const environment = new Proxy<Record<string, string>>(
      {},
      { get: (_, name) => void read.push(String(name)) },
    );
    settingsFromEnvironment(environment);
    customersFromEnvironment(environment);
    expect([...(await readmeTable()).keys()].toSorted()).toEqual([...new Set(read)].toSorted());
  });

  it("gives the defaults of the command", async () => {
    const table = await readmeTable();
    const settings = settingsFromEnvironment({});
    const [client] = clientsOf(settings);
    const defaults = {
      PORT: String(settings.port),
      APP_URL: "http://localhost:3000",
      APP_NAME: client?.name,
      REDIRECT_URI: client?.redirectURIs[0]?.replace("http://localhost:3000", "<app>"),
      DATA: settings.dataFolder,
    };
    for (const [name, value] of Object.entries(defaults)) {
      expect([name, table.get(`LATCHKEY_PROVIDER_${name}`)]).toEqual([name, value]);
    }
    expect(client?.clientURI).toBe("http://localhost:3000/");
  });
});

/** The default of each variable, by its name. */
async function readmeTable(): Promise<ReadonlyMap<string, string>> {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const rows = readme.matchAll(/^\| `(LATCHKEY_\w+)` .*\| *`?([^|`]*?)`? *\|$/gmu);
  return new Map([...rows].map(([, name = "", value = ""]) => [name, value]));
}
