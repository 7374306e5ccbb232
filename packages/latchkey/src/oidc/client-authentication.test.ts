import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  jwtVerify,
} from "jose";
import { generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { Refusal } from "../errors/refusal.ts";
import { inForce } from "../crypto/in-force.ts";
import type { ClientCredentials } from "./connection.ts";
import { authenticateClient, clientAuthMethod } from "./client-authentication.ts";

const metadata = {
  issuer: "https://op.example",
  authorization_endpoint: "https://op.example/authorize",
  token_endpoint: "https://op.example/token",
};

type Given = ClientCredentials & Omit<Parameters<typeof authenticateClient>[0], "credentials">;

const clientOf = ({ clientSecret, clientAssertionSigningKey, ...others }: Partial<Given>) => ({
  clientID: "client",
  clock: () => Date.now(),
  clientAssertionSigningAlg: "RS256" as const,
  ...others,
  credentials: inForce({ clientSecret, clientAssertionSigningKey }),
});

/** What an authenticated request carries. */
async function proofOf(settings: Partial<Given>, clientID = "client") {
  const { members, headers } = await authenticateClient(
    clientOf({ ...settings, clientID }),
    metadata,
  );
  return { body: members, authorization: headers["authorization"] ?? null };
}

describe("the method of client authentication", () => {
  const methodOf = (settings: Partial<Given>, offered?: string[]) =>
    clientAuthMethod(clientOf(settings), {
      ...metadata,
      ...(offered === undefined ? {} : { token_endpoint_auth_methods_supported: offered }),
    });

  test.each([
    [undefined, "client_secret_basic"],
    [["client_secret_basic", "client_secret_post"], "client_secret_basic"],
    [["client_secret_post"], "client_secret_post"],
    [["private_key_jwt"], "client_secret_basic"],
    [[], "client_secret_basic"],
  ])("a method outside the settings is, with %j offered, %s", (offered, method) => {
    expect(methodOf({}, offered)).toBe(method);
  });

  test("is the configured one, and private_key_jwt with only a key [STD-057]", () => {
    expect(methodOf({ clientAssertionSigningKey: "key" })).toBe("private_key_jwt");
    expect(methodOf({ clientAuthMethod: "client_secret_jwt" }, ["client_secret_post"])).toBe(
      "client_secret_jwt",
    );
  });
});

describe("client_secret_basic", () => {
  test.each([
    ["client", "secret", "client:secret"],
    ["my-app_1.x", "a-b_c.d", "my-app_1.x:a-b_c.d"],
    ["a b:c", "p@ss +/%&=ü", "a+b%3Ac:p%40ss+%2B%2F%25%26%3D%C3%BC"],
    ["client", "tilde~star*", "client:tilde%7Estar*"],
  ])(
    "encodes %s and its secret as a form does (RFC 6749, 2.3.1)",
    async (id, clientSecret, plain) => {
      const { authorization, body } = await proofOf(
        { clientAuthMethod: "client_secret_basic", clientSecret },
        id,
      );
      expect(atob(authorization?.slice("Basic ".length) ?? "")).toBe(plain);
      expect(body).toEqual({});
    },
  );
});

describe("client_secret_post", () => {
  test("sends id and secret in the form, and nothing in a header", async () => {
    expect(await proofOf({ clientAuthMethod: "client_secret_post", clientSecret: "s +%" })).toEqual(
      { body: { client_id: "client", client_secret: "s +%" }, authorization: null },
    );
  });
});

describe("a client assertion", () => {
  test("under the secret has HS256 and the issuer as audience, is new each time and never holds the secret", async () => {
    const settings = {
      clientAuthMethod: "client_secret_jwt",
      clientSecret: "s".repeat(32),
    } as const;
    const [one, other] = [await proofOf(settings), await proofOf(settings)];
    const assertion = one.body["client_assertion"] ?? "";
    const key = new TextEncoder().encode("s".repeat(32));
    const { payload, protectedHeader } = await jwtVerify(assertion, key);
    expect(protectedHeader).toEqual({ alg: "HS256" });
    const { iat = 0, nbf, exp, iss, sub, aud } = payload;
    expect([iss, sub, aud]).toEqual(["client", "client", "https://op.example"]);
    expect([nbf, exp]).toEqual([iat, iat + 60]);
    expect(decodeJwt(assertion).jti).not.toBe(decodeJwt(other.body["client_assertion"] ?? "").jti);
    expect(JSON.stringify(one)).not.toContain("s".repeat(32));
  });

  test("is signed by the private key in force, which is made ready once", async () => {
    const former = await generateKeyPair("ES256", { extractable: true });
    const next = await generateKeyPair("ES256", { extractable: true });
    const client = clientOf({
      clientAssertionSigningKey: await exportPKCS8(former.privateKey),
      clientAssertionSigningAlg: "ES256",
    });
    const credentials = {
      clientSecret: undefined,
      clientAssertionSigningKey: await exportPKCS8(next.privateKey),
    };
    const importKey = vi.spyOn(crypto.subtle, "importKey");
    onTestFinished(() => importKey.mockRestore());
    const assertion = async () =>
      (await authenticateClient(client, metadata)).members["client_assertion"] ?? "";
    const byFormer = [await assertion(), await assertion()];
    client.credentials.replace(credentials);
    const byNext = [await assertion(), await assertion()];
    expect(importKey).toHaveBeenCalledTimes(2);
    await Promise.all(byFormer.map((each) => jwtVerify(each, former.publicKey)));
    await Promise.all(byNext.map((each) => jwtVerify(each, next.publicKey)));
  });

  test.each(["ES256", "RS256", "PS256", "EdDSA"] as const)(
    "is signed with a private key for %s, from PEM and from JWK with its key id",
    async (alg) => {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
      const jwk = JSON.stringify({ ...(await exportJWK(privateKey)), kid: "my-key" });
      for (const clientAssertionSigningKey of [await exportPKCS8(privateKey), jwk, `\n ${jwk}`]) {
        const { body } = await proofOf({
          clientAuthMethod: "private_key_jwt",
          clientAssertionSigningKey,
          clientAssertionSigningAlg: alg,
        });
        const assertion = body["client_assertion"] ?? "";
        const { kid, alg: signedWith } = decodeProtectedHeader(assertion);
        expect(signedWith).toBe(alg === "EdDSA" ? "Ed25519" : alg);
        await expect(jwtVerify(assertion, publicKey)).resolves.toBeDefined();
        expect(kid).toBe(clientAssertionSigningKey.endsWith(jwk) ? "my-key" : undefined);
      }
    },
  );

  test("is not signed with a key of 1024 bits", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const clientAssertionSigningKey = privateKey
      .export({ type: "pkcs8", format: "pem" })
      .toString();
    const proof = proofOf({ clientAuthMethod: "private_key_jwt", clientAssertionSigningKey });
    await expect(proof).rejects.toThrow("less than 2048 bits");
  });

  test.each(["", "no key", "{", '{"kty":"oct","k":"AAAA"}', "-----BEGIN PRIVATE KEY-----\nAAAA"])(
    "is refused if the private key cannot be read, and the key is not repeated: %j",
    async (clientAssertionSigningKey) => {
      const error: unknown = await proofOf({
        clientAuthMethod: "private_key_jwt",
        clientAssertionSigningKey,
      }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Refusal);
      expect(error).toMatchObject({
        reason: "client_rejected",
        detail: "LATCHKEY_CLIENT_ASSERTION_SIGNING_KEY cannot be read",
      });
    },
  );

  test("whose private key is broken JSON does not repeat a piece of it in the error or its causes", async () => {
    const error: unknown = await proofOf({
      clientAuthMethod: "private_key_jwt",
      clientAssertionSigningKey: '{"kty":"EC","d":s3cr3t}',
    }).catch((thrown: unknown) => thrown);
    expect(inspect(error)).toContain("cannot be read");
    expect(inspect(error)).not.toContain("s3cr3t");
  });
});
