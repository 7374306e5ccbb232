import { describe, expect, test } from "vitest";

import { faultsBy, goodSettings } from "../../test/settings.ts";
import { readConfig } from "./config.ts";
import { hardened } from "./preset.ts";
import type { Settings } from "./settings.ts";
import { startUpWarnings } from "./warnings.ts";

const key = "-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----";
const withKey = { ...goodSettings, clientAssertionSigningKey: key };

function hardenedBy(changes: Partial<Settings> = {}) {
  return readConfig({ ...withKey, preset: "hardened", ...changes }, { hasStore: true });
}

describe("the preset hardened", () => {
  test("changes the defaults of other settings, and relaxes nothing", () => {
    expect(hardenedBy()).toMatchObject({
      clientAuthMethod: "private_key_jwt",
      pushedAuthorizationRequests: "if-offered",
      session: {
        name: "__Host-appSession",
        lifetime: { rolling: 1800, absolute: 43_200 },
        stateful: true,
        deviceBound: "observe",
      },
      relaxations: [],
    });
  });

  test("demands a store and a signing key", () => {
    expect(faultsBy({ preset: "hardened" })).toEqual([
      'clientAssertionSigningKey: is required for a "clientAuthMethod" of "private_key_jwt"',
      "session.stateful: needs a store to keep sessions in",
    ]);
  });

  test.each<[relaxed: string, changes: Partial<Settings>, asvs: string]>([
    ["SESSION_NAME", { session: { name: "sid" } }, "3.3.3"],
    ["SESSION_NAME", { session: { name: "__Secure-sid" } }, "3.3.3"],
    ["SESSION_ROLLING_DURATION", { session: { rollingDuration: 1801 } }, "7.3.1"],
    ["SESSION_ROLLING_DURATION", { session: { rolling: false } }, "7.3.1"],
    ["SESSION_ABSOLUTE_DURATION", { session: { absoluteDuration: 86_400 } }, "7.3.2"],
    ["SESSION_ABSOLUTE_DURATION", { session: { absoluteDuration: false } }, "7.3.2"],
    ["SESSION_STATEFUL", { session: { stateful: false } }, "7.4.1"],
    ["SESSION_DEVICE_BOUND", { session: { deviceBound: "off" } }, "10.3.5"],
    ["CLIENT_AUTH_METHOD", { clientAuthMethod: "client_secret_basic" }, "10.4.16"],
    ["PUSHED_AUTHORIZATION_REQUESTS", { pushedAuthorizationRequests: false }, "10.4.13"],
  ])("lets an app relax it by LATCHKEY_%s: %j, and names this at the start", (name, own, asvs) => {
    const config = hardenedBy(own);
    expect(config.relaxations).toEqual([
      expect.stringContaining(
        `The preset hardened is relaxed by LATCHKEY_${name} (ASVS ${asvs}).`,
      ) as string,
    ]);
    expect(startUpWarnings(config, { kind: "sqlite" })).toEqual(config.relaxations);
  });

  test("names what the client of another connection relaxes, once for all that use it", () => {
    const acme = {
      issuerBaseURL: "https://acme.example",
      clientID: "acme",
      clientSecret: "a-secret-of-acme-0123456789abcdef",
      clientAuthMethod: "client_secret_post",
      pushedAuthorizationRequests: false,
    } as const;
    const { relaxations } = hardenedBy({
      identity: "issuer+sub",
      connections: { acme, "acme-admins": { uses: "acme" } },
    });
    const relaxed = "The preset hardened is relaxed by LATCHKEY_CONNECTION_ACME_";
    expect(relaxations).toEqual([
      expect.stringContaining(`${relaxed}CLIENT_AUTH_METHOD (ASVS 10.4.16). By default`),
      expect.stringContaining(`${relaxed}PUSHED_AUTHORIZATION_REQUESTS (ASVS 10.4.13). By default`),
    ]);
  });

  test("says what a provider without keys needs, in the words of each connection", () => {
    const acme = { issuerBaseURL: "https://acme.example", clientID: "acme" };
    const connections = { acme: { ...acme, clientSecret: "a-secret-of-acme-0123456789abcdef" } };
    const settings = { ...withKey, preset: "hardened", identity: "issuer+sub", connections };
    expect(() => readConfig(settings, { hasStore: true })).toThrow(
      /ACME_CLIENT_ASSERTION_SIGNING_KEY .*The preset hardened wants it\. .* set LATCHKEY_CONNECTION_ACME_CLIENT_AUTH_METHOD=client_secret_basic\./,
    );
  });

  test.each<Partial<Settings>>([
    { session: { name: "__Host-sid", rollingDuration: 60, absoluteDuration: 3600 } },
    { session: { deviceBound: "enforce" }, pushedAuthorizationRequests: true },
  ])("counts what is stricter as no relaxation: %j", (own) => {
    expect(hardenedBy(own).relaxations).toEqual([]);
  });

  test("goes over http on this machine without what browsers want https for", () => {
    const { session, relaxations } = hardenedBy({ baseURL: "http://localhost:3000" });
    expect([session.name, session.deviceBound, relaxations]).toEqual(["appSession", "off", []]);
    expect(session.lifetime).toEqual({ rolling: 1800, absolute: 43_200 });
  });

  test.each([{ domain: "app.example" }, { path: "/shop" }])(
    "starts with a cookie that no __Host- name fits, and names what is missing: %j",
    (cookie) => {
      const { session, relaxations } = hardenedBy({ session: { cookie } });
      expect([session.name, session.deviceBound]).toEqual(["appSession", "off"]);
      expect(relaxations).toHaveLength(2);
    },
  );

  test.each([
    [{ session: "all" }, "session: must be an object"],
    [{ session: null }, "session: must be an object"],
    [{ baseURL: 1 }, "baseURL: must be a valid uri"],
  ])("hides no fault of the settings: %j", (own, fault) => {
    expect(faultsBy({ ...withKey, preset: "hardened", ...own }, true)).toEqual([fault]);
  });
});

test("an unknown preset is refused", () => {
  expect(faultsBy({ preset: "hard" })).toEqual(["preset: must be one of [hardened]"]);
});

test("without a preset nothing is relaxed, and no default differs", () => {
  const { relaxations, session } = readConfig(goodSettings, { hasStore: true });
  expect([relaxations, session.name, session.deviceBound]).toEqual([[], "appSession", "off"]);
});

test("each consequence has a requirement of its own", () => {
  const numbers = hardened.map(({ asvs }) => asvs);
  expect(new Set(numbers).size).toBe(hardened.length);
  for (const asvs of numbers) expect(asvs).toMatch(/^\d+\.\d+\.\d+$/);
});
