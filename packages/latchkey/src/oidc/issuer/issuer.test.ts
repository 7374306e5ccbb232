import { generateKeyPairSync } from "node:crypto";
import { CompactSign } from "jose";
import { expect, test } from "vitest";

import { metadataOf } from "../../../test/worlds/quick-provider.ts";
import { quietProviderDeps } from "../../../test/worlds/quiet-provider-deps.ts";
import { recordedProvider } from "../../../test/worlds/recorded-provider.ts";
import { configOf, goodSettings } from "../../../test/settings.ts";
import { type Measurement, unobserved } from "../../telemetry/telemetry.ts";
import { Refusal } from "../../errors/refusal.ts";
import { createConnection } from "../connection.ts";
import { createIssuer, type IssuerDeps } from "./issuer.ts";
import { type ProviderToken, readProviderToken } from "../tokens/token-claims.ts";
import { verifySignature } from "../tokens/verify-signature.ts";

const issuer = goodSettings.issuerBaseURL;
const ours = generateKeyPairSync("ed25519");
const strangers = generateKeyPairSync("ed25519");

async function tokenBy({ privateKey }: typeof ours, kid?: string): Promise<ProviderToken> {
  const header = { alg: "EdDSA", ...(kid === undefined ? {} : { kid }) };
  const payload = new TextEncoder().encode('{"sub":"ada"}');
  const text = await new CompactSign(payload).setProtectedHeader(header).sign(privateKey);
  return readProviderToken("logout_token", text);
}

/** A provider with known metadata, and other parts if a test has some. */
function providerWith(parts: Partial<IssuerDeps>) {
  const config = configOf();
  const fetch = async () => Response.json(metadataOf(config.issuerBaseURL));
  return createIssuer(config, { ...quietProviderDeps, clock: () => 0, fetch, ...parts });
}

/** A client of a provider with the key "known", a manual clock, and a count of key fetches. */
function world() {
  let now = 1_800_000_000_000;
  let fetches = 0;
  let isFailing = false;
  const config = configOf({ idTokenSigningAlg: "EdDSA" });
  let keys = [{ ...ours.publicKey.export({ format: "jwk" }), kid: "known" }];
  const connection = createConnection(config.connections.default, {
    ...quietProviderDeps,
    clock: () => now,
    async fetch(input) {
      if (!input.endsWith("/keys")) return Response.json(metadataOf(config.issuerBaseURL));
      fetches += 1;
      if (isFailing) return new Response("", { status: 500 });
      return Response.json({ keys });
    },
  });
  return {
    fetches: () => fetches,
    publish: ({ publicKey }: typeof ours, kid: string) =>
      void (keys = [{ ...publicKey.export({ format: "jwk" }), kid }]),
    fail: (isToFail: boolean) => void (isFailing = isToFail),
    advance: (seconds: number) => void (now += seconds * 1000),
    verify: (token: ProviderToken) =>
      verifySignature(connection, token).then(
        () => "verified",
        (error: unknown) => (error instanceof Refusal ? error.reason : "another error"),
      ),
  };
}

test.each(["known", undefined])("a token with the key id %s is verified", async (kid) => {
  const { verify, fetches } = world();
  expect(await verify(await tokenBy(ours, kid))).toBe("verified");
  expect(fetches()).toBe(1);
});

test.each([
  ["known", "token_signature"],
  ["unknown", "token_key_unknown"],
  [undefined, "token_signature"],
])(
  "a forged token with the key id %s costs one request for keys in 30 seconds (OpenID Connect Core 10.1.1) [STD-023, REL-L04]",
  async (kid, reason) => {
    const { verify, fetches, advance } = world();
    const forged = await tokenBy(strangers, kid);
    expect([await verify(forged), fetches()]).toEqual([reason, 2]);
    expect([await verify(forged), fetches()]).toEqual([reason, 2]);
    advance(30);
    expect([await verify(forged), fetches()]).toEqual([reason, 3]);
  },
);

test("a new key under the id of an old one is found with one request for keys [OP-044]", async () => {
  const { verify, fetches, publish } = world();
  expect(await verify(await tokenBy(ours, "known"))).toBe("verified");
  publish(strangers, "known");
  const token = await tokenBy(strangers, "known");
  expect([await verify(token), await verify(token)]).toEqual(["verified", "verified"]);
  expect(fetches()).toBe(2);
});

test("a failed request for keys does not count: the next token verifies a second later [OP-045]", async () => {
  const { verify, fail, publish, advance } = world();
  expect(await verify(await tokenBy(ours, "known"))).toBe("verified");
  publish(strangers, "new");
  fail(true);
  const token = await tokenBy(strangers, "new");
  expect(await verify(token)).toBe("provider_failed");
  fail(false);
  advance(1);
  expect(await verify(token)).toBe("verified");
});

test.each([
  ["known", "token_signature"],
  ["unknown", "provider_failed"],
  [undefined, "provider_failed"],
])(
  "a forged token with the key id %s is refused by %s while keys cannot be fetched again",
  async (kid, reason) => {
    const { verify, fail } = world();
    expect(await verify(await tokenBy(ours, "known"))).toBe("verified");
    fail(true);
    expect(await verify(await tokenBy(strangers, kid))).toBe(reason);
  },
);

test("a clock set back lets keys be fetched again", async () => {
  const { verify, fetches, advance } = world();
  const forged = await tokenBy(strangers, "unknown");
  await verify(forged);
  const before = fetches();
  advance(-1);
  await verify(forged);
  expect(fetches() - before).toBe(1);
});

test.each([
  ["EdDSA", ["/keys"]],
  ["HS256", []],
] as const)(
  "metadata are there before anybody needs them, and keys where %s needs them",
  async (idTokenSigningAlg, asked) => {
    const settings = { idTokenSigningAlg, clientSecret: "x".repeat(32) };
    const keys = [{ ...ours.publicKey.export({ format: "jwk" }), kid: "known" }];
    const { connection, calls } = recordedProvider(() => Response.json({ keys }), { settings });
    const { issuer: provider } = connection;
    expect(provider.health()).toEqual({ state: "up", metadataAgeMs: null, keysAgeMs: null });
    await provider.warmUp();
    expect(calls.map(({ path }) => path)).toEqual(asked);
    const keysAgeMs = asked.length === 0 ? null : 0;
    expect(provider.health()).toEqual({ state: "up", metadataAgeMs: 0, keysAgeMs });
  },
);

test("a provider without reachable keys is down, and warming up throws nothing", async () => {
  const settings = { idTokenSigningAlg: "EdDSA" } as const;
  const { connection } = recordedProvider(() => new Response("", { status: 500 }), { settings });
  const { issuer: provider } = connection;
  await provider.warmUp();
  expect(provider.health()).toMatchObject({ state: "down", keysAgeMs: null });
});

test("calls are reported under the names of their endpoints in the metadata", async () => {
  const told: string[] = [];
  const measure = (its: Measurement) =>
    void (its.of === "provider-request" && told.push(its.endpoint));
  const provider = providerWith({ observer: { ...unobserved, measure } });
  await provider.metadata();
  await provider.fetch(`${issuer}/userinfo`, { endpoint: "userinfo", method: "GET", headers: {} });
  expect(told).toEqual(["metadata", "userinfo"]);
});

test("a renewal goes on beside the requests, and closing waits for it", async () => {
  let now = 0;
  const begun: string[] = [];
  const run = (kind: string) => begun.push(kind);
  const background = { ...quietProviderDeps.background, run };
  const provider = providerWith({ background, clock: () => now });
  await provider.metadata();
  now += 86_400_000;
  await provider.metadata();
  expect(begun).toEqual(["renewal"]);
});

test.each([
  ["that five calls have not reached is left alone for a while", 8, 0, 5],
  ["that has failed for long is tried again every ten seconds at least", 30, 10_000, 30],
])("an endpoint %s [OP-042]", async (_, tries, everyMs, tried) => {
  let now = 0;
  let calls = 0;
  const fetch = () => ((calls += 1), Promise.reject(new TypeError("unreachable")));
  const provider = providerWith({ clock: () => now, fraction: () => 0.9999, fetch });
  const call = () =>
    provider.fetch(`${issuer}/token`, { endpoint: "token", method: "POST", headers: {} });
  for (let count = 0; count < tries; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(call()).rejects.toMatchObject({ reason: "provider_unreachable" });
    now += everyMs;
  }
  expect(calls).toBe(tried);
});
