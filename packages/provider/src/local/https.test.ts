import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorizationRequest, exchange, signInAs, verifyToken } from "../../test/sign-in.ts";
import type { RunningProvider } from "../index.ts";
import { createCertificate, startProvider } from "../index.ts";

const trusted = getCACertificates("default");
let provider: RunningProvider;

beforeAll(async () => {
  provider = await startProvider({ https: true });
});

afterAll(async () => {
  setDefaultCACertificates(trusted);
  await provider.close();
});

describe("a provider over https", () => {
  it("signs a person in and out for a client with its certificate", async () => {
    setDefaultCACertificates([...trusted, provider.caCertificate ?? ""]);
    const metadata: unknown = await (
      await fetch(`${provider.issuer}/.well-known/openid-configuration`)
    ).json();
    expect(metadata).toMatchObject({
      issuer: expect.stringMatching(/^https:\/\/localhost:\d+$/u),
      token_endpoint: `${provider.issuer}/token`,
    });
    const { browser, ...session } = await signInAs(provider, "person-ada");
    const { claims } = await verifyToken(provider, (await exchange(provider, session)).id_token);
    expect(claims).toMatchObject({ iss: provider.issuer, sub: "person-ada" });
    await browser.open(`${provider.url}/session/end`);
    const next = await browser.open(authorizationRequest(provider).url);
    expect(next.text).toContain("Choose a sample person");
  });
});

describe("a provider with a certificate of the test", () => {
  it("serves with this one", async () => {
    const certificate = await createCertificate();
    const given = await startProvider({ https: certificate });
    expect([given.issuer.slice(0, 6), given.caCertificate]).toEqual(["https:", certificate.cert]);
    await given.close();
  });
});

describe("a provider over http", () => {
  it("has no certificate to trust", async () => {
    const plain = await startProvider();
    expect(plain.issuer).toMatch(/^http:/u);
    expect(plain.caCertificate).toBeUndefined();
    await plain.close();
  });
});
