import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";

import { createAuth } from "./auth.ts";
import type { LogEvent } from "../index.ts";
import { handleRequest } from "../../test/handle-request.ts";
import { goodSettings } from "../../test/settings.ts";

const pem = { type: "pkcs8", format: "pem" } as const;
const { privateKey: rsa } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const { privateKey: p256 } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { privateKey: p384 } = generateKeyPairSync("ec", { namedCurve: "P-384" });
const pemOfRSA = rsa.export(pem).toString();
const jwkOfRSA = JSON.stringify(rsa.export({ format: "jwk" }));

function started(key: string, clientAssertionSigningAlg: "RS256" | "ES256" | "PS256" = "RS256") {
  const { clientSecret: _none, ...settings } = goodSettings;
  const fetch = async () => new Response(null, { status: 500 });
  const given = { clientAssertionSigningKey: key, clientAssertionSigningAlg };
  return createAuth({ ...settings, ...given, fetch, log: () => undefined }).ready();
}

describe("the signing key of the client", () => {
  test.each([
    ["PEM", pemOfRSA],
    ["PEM with its line breaks written out", pemOfRSA.replaceAll("\n", "\\n")],
    ["PEM with those of Windows written out", pemOfRSA.replaceAll("\n", "\\r\\n")],
    ["a JWK", jwkOfRSA],
  ])("may be %s", async (_, key) => {
    await expect(started(key)).resolves.toBeUndefined();
  });

  test("may be for any algorithm of its type", async () => {
    await expect(started(pemOfRSA, "PS256")).resolves.toBeUndefined();
    await expect(started(p256.export(pem).toString(), "ES256")).resolves.toBeUndefined();
  });

  test.each([
    ["is cut off", pemOfRSA.slice(0, 400), "RS256", "is not a whole private key"],
    ["is a JWK that lacks a member", jwkOfRSA.replace('"n"', '"m"'), "RS256", "is not a whole"],
    ["is of another type", p256.export(pem).toString(), "RS256", "is a key for ES256, and the"],
    ["is of another curve", p384.export(pem).toString(), "ES256", "is a key for ES384, and the"],
    ["is RSA for an EC algorithm", pemOfRSA, "ES256", "is a key for RS256, and the algorithm is"],
  ] as const)("stops the start if it %s, by its variable", async (_, key, alg, message) => {
    await expect(started(key, alg)).rejects.toMatchObject({
      code: "ERR_CONFIG",
      faults: [
        {
          variable: "LATCHKEY_CLIENT_ASSERTION_SIGNING_KEY",
          message: expect.stringContaining(message) as string,
        },
      ],
    });
  });

  test("is in no log and no response if it cannot be read", async () => {
    const events: LogEvent[] = [];
    const { clientSecret: _none, ...settings } = goodSettings;
    const key = "-----BEGIN PRIVATE KEY-----\nsecret-stuff\n";
    const log = (event: LogEvent) => void events.push(event);
    const auth = createAuth({ ...settings, clientAssertionSigningKey: key, log });
    const request = new Request(`${goodSettings.baseURL}/api/auth/login`);
    const { response } = await handleRequest(auth, request, () => expect.unreachable());
    expect(response.status).toBe(500);
    expect(events).not.toEqual([]);
    expect((await response.text()) + JSON.stringify(events)).not.toContain("secret-stuff");
  });
});

test("a wrong key of a connection stops the start, with its name [MX-002]", async () => {
  const acme = {
    issuerBaseURL: "https://id.acme.example",
    clientID: "acme",
    clientAssertionSigningKey: pemOfRSA,
    clientAssertionSigningAlg: "ES256",
  } as const;
  const connections = { acme, beta: { uses: "acme", organization: "org_beta" } };
  const options = { ...goodSettings, identity: "issuer+sub", connections } as const;
  await expect(createAuth({ ...options, log: () => undefined }).ready()).rejects.toMatchObject({
    faults: [
      {
        option: "connections.acme.clientAssertionSigningKey",
        variable: "LATCHKEY_CONNECTION_ACME_CLIENT_ASSERTION_SIGNING_KEY",
        remedy: expect.stringContaining("LATCHKEY_CONNECTION_ACME_CLIENT_ASSERTION_SIGNING_ALG"),
      },
    ],
  });
});
