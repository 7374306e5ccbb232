/** Proofs as attackers send them: weak, forged, old, repeated, and none at all. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { expect, test } from "vitest";

import { memoryStore } from "../../src/stores/memory.ts";
import { challengeIn, createDevice, post } from "../browser/device.ts";
import { asDocument, deviceWorld, deviceWorldWithStore } from "./device-world.ts";

const route = "/api/auth/device";
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A first proof by any key, signed as its algorithm wants. */
function proofBy(alg: string, privateKey: KeyObject, jwk: object, jti: string): string {
  const input = `${part({ alg, typ: "dbsc+jwt", jwk })}.${part({ jti })}`;
  const digest = alg.endsWith("384") ? "sha384" : "sha256";
  const options = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
  const isEdwards = alg === "EdDSA";
  const signature = sign(isEdwards ? null : digest, Buffer.from(input), options);
  return `${input}.${signature.toString("base64url")}`;
}

const offered = ({ headers }: Response) =>
  /challenge="([^"]*)"/.exec(headers.get("secure-session-registration") ?? "")?.[1] ?? "";

const p256 = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const foreignKeys: readonly (readonly [string, string, () => ReturnType<typeof p256>])[] = [
  ["RSA of 1024 bits", "RS256", () => generateKeyPairSync("rsa", { modulusLength: 1024 })],
  ["P-384 as ES384", "ES384", () => generateKeyPairSync("ec", { namedCurve: "P-384" })],
  ["P-384 as ES256", "ES256", () => generateKeyPairSync("ec", { namedCurve: "P-384" })],
  ["secp256k1 as ES256", "ES256", () => generateKeyPairSync("ec", { namedCurve: "secp256k1" })],
  ["Ed25519", "EdDSA", () => generateKeyPairSync("ed25519")],
];

test.each(foreignKeys)("a key is refused at registration: %s [DB-003]", async (_, alg, create) => {
  const { app, signIn } = deviceWorld();
  const { callback } = await signIn();
  const { privateKey, publicKey } = create();
  const text = proofBy(alg, privateKey, publicKey.export({ format: "jwk" }), offered(callback));
  const response = await post(app, route, { "secure-session-response": text });
  expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
});

test("a good key of the same kind is accepted [DB-003]", async () => {
  const { app, signIn } = deviceWorld();
  const { callback } = await signIn();
  const { privateKey, publicKey } = p256();
  const text = proofBy("ES256", privateKey, publicKey.export({ format: "jwk" }), offered(callback));
  expect((await post(app, route, { "secure-session-response": text })).status).toBe(200);
});

test("a repeated first proof registers the same key again, until its offer is old [DB-003]", async () => {
  const { app, signIn, advance } = deviceWorld();
  const { callback } = await signIn();
  const device = await createDevice(app);
  const text = await device.prove(offered(callback), true);
  const send = () => post(app, route, { "secure-session-response": text });
  const [first, again] = [await send(), await send()];
  const keyIn = (response: Response) => response.headers.getSetCookie().join().split(".")[2];
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(keyIn(again)).toBe(keyIn(first));
  advance(301);
  const late = await send();
  expect([late.status, late.headers.getSetCookie()]).toEqual([400, []]);
});

test("a repeated proof counts for a quarter of an hour after its challenge, and no longer [DB-003]", async () => {
  const { app, bound, advance } = deviceWorld();
  const { device, refreshAddress, identifier, challenge } = await bound();
  const headers = {
    "sec-secure-session-id": identifier,
    "secure-session-response": await device.prove(challenge, false),
  };
  const send = () => post(app, refreshAddress, headers);
  expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
  advance(900);
  const late = await send();
  expect([late.status, late.headers.getSetCookie()]).toEqual([403, []]);
  expect(challengeIn(late)).not.toBe("");
});

test("a first proof does not renew, and a later one does not register [DB-003]", async () => {
  const { app, signIn } = deviceWorld();
  const { callback } = await signIn();
  const device = await createDevice(app);
  const { refreshAddress, identifier, challenge } = await device.register(callback);
  const renewing = await post(app, refreshAddress, {
    "sec-secure-session-id": identifier,
    "secure-session-response": await device.prove(challenge, true),
  });
  const registering = await post(app, route, {
    "secure-session-response": await device.prove(offered(callback), false),
  });
  expect([renewing.status, registering.status]).toEqual([403, 400]);
});

const skips = [
  "unreachable",
  "server_error",
  "quota_exceeded",
  "Unreachable",
  "UNREACHABLE",
  '"unreachable"',
  "unreachable, quota_exceeded",
  'unreachable;session_identifier="x"',
  'quota_exceeded;session_identifier="x", server_error',
  "?1",
  "true",
  "()",
  "",
  " ",
  "\t",
  "é",
  "x".repeat(4000),
];

test.each(skips)("Secure-Session-Skipped: %.40j lets no request through [DB-007]", async (skip) => {
  const { app, open, bound } = deviceWorldWithStore();
  const { session, renew } = await bound();
  const headers = { "secure-session-skipped": skip };
  const page = await open(session, { ...asDocument, ...headers });
  const script = await app.open("/api/data", { jar: session, headers });
  const me = await app.ask("/api/auth/me", { jar: session, headers });
  expect([302, 503]).toContain(page.response.status);
  expect([401, 503]).toContain(script.status);
  expect([204, 503]).toContain(me.status);
  for (const { headers: sent } of [page.response, script, me])
    expect(sent.getSetCookie()).toEqual([]);
  expect((await open({ ...session, ...(await renew()) }, headers)).isPage).toBe(true);
});

test("a registration while the store is down is answered 503, and possible later [DB-006]", async () => {
  const { app, signIn, store } = deviceWorldWithStore();
  const { callback } = await signIn();
  const device = await createDevice(app);
  store.fail(true);
  const { response } = await device.register(callback);
  expect([response.status, response.headers.getSetCookie()]).toEqual([503, []]);
  store.fail(false);
  expect((await device.register(callback)).response.status).toBe(200);
});

test("while the store is down a proof and a lack of it are answered 503, nonsense 400 [DB-006]", async () => {
  const { app, bound, store } = deviceWorldWithStore();
  const { device, ...registered } = await bound();
  const id = { "sec-secure-session-id": registered.identifier };
  store.fail(true);
  const asked = await post(app, registered.refreshAddress, id);
  const foreign = await post(app, `${route}?k=x`, id);
  expect([asked.status, foreign.status]).toEqual([503, 400]);
  store.fail(false);
  expect((await device.refresh(registered)).status).toBe(200);
});

test("while the store hangs a proof is answered 503 within three seconds, and counts later [DB-006]", async () => {
  const memory = memoryStore();
  let hangs = false;
  const get: typeof memory.get = (keys) =>
    hangs ? new Promise(() => undefined) : memory.get(keys);
  const { bound } = deviceWorld({ store: { ...memory, get }, session: { stateful: true } });
  const { device, ...registered } = await bound();
  hangs = true;
  const began = performance.now();
  expect((await device.refresh(registered)).status).toBe(503);
  expect(performance.now() - began).toBeLessThan(3000);
  hangs = false;
  await expect.poll(async () => (await device.refresh(registered)).status).toBe(200);
});
