import { calculateJwkThumbprint, CompactSign, exportJWK, type JWK } from "jose";
import { beforeAll, describe, expect, test } from "vitest";

import {
  type ApiApp,
  type ApiResponse,
  createApiApp,
  startSeconds,
} from "../../test/api/api-app.ts";
import { createIntrospectingApp, good } from "../../test/api/introspecting-app.ts";
import { keyPair, type Members } from "../../test/api/issuer.ts";
import { proofFor, type ProofChange } from "../../test/api/proof.ts";
import { sha256 } from "../crypto/digest.ts";
import { memoryStore } from "../stores/memory.ts";

const algs = 'DPoP algs="ES256 ES384 EdDSA PS256 RS256"';

let publicJWK: JWK;
let privateJWK: JWK;
let otherJWK: JWK;
let jkt: string;

beforeAll(async () => {
  const pair = await keyPair("ES256", "client");
  publicJWK = await exportJWK(pair.publicKey);
  privateJWK = await exportJWK(pair.privateKey);
  otherJWK = await exportJWK((await keyPair("ES256", "other client")).publicKey);
  jkt = await calculateJwkThumbprint(publicJWK);
});

async function callWith(app: ApiApp, change: ProofChange = {}): Promise<ApiResponse> {
  const token = await app.token({ cnf: { jkt } });
  const dpop = await proofFor(token, change);
  return app.call({ headers: { authorization: `DPoP ${token}`, dpop } });
}

const plainHeaders = ["cache-control", "content-type", "vary"];

test("a bound token counts with its proof [AP-026]", async () => {
  const app = await createApiApp();
  const response = await callWith(app);
  expect(response).toMatchObject({ status: 200, made: "ada" });
  expect([...response.headers.keys()]).toEqual(plainHeaders);
});

describe("a proof is refused [AP-026]", () => {
  const cases: readonly (readonly [string, () => ProofChange])[] = [
    ["whose typ is another", () => ({ header: { typ: "jwt" } })],
    ["whose typ is in a list", () => ({ header: { typ: ["dpop+jwt"] } })],
    ["whose typ only ends well", () => ({ header: { typ: "x-dpop+jwt" } })],
    ["whose typ only begins well", () => ({ header: { typ: "dpop+jwt-x" } })],
    ["without typ", () => ({ header: { typ: undefined } })],
    ["without a key", () => ({ header: { jwk: undefined } })],
    ["whose key is private [AP-027]", () => ({ header: { jwk: privateJWK } })],
    ["whose key is another than that of the token", () => ({ header: { jwk: otherJWK } })],
    ["of another key", () => ({ header: { jwk: otherJWK }, signer: "other client" })],
    ["that another key signed", () => ({ signer: "other client" })],
    ["for another method", () => ({ claims: { htm: "POST" } })],
    ["without a method", () => ({ claims: { htm: undefined } })],
    ["for another path", () => ({ claims: { htu: "https://app.example/api/other" } })],
    [
      "for a path with an escaped slash",
      () => ({ claims: { htu: "https://app.example/api%2Fdata" } }),
    ],
    ["for another host", () => ({ claims: { htu: "https://evil.example/api/data" } })],
    ["for another scheme", () => ({ claims: { htu: "http://app.example/api/data" } })],
    [
      "for an address with a user's name",
      () => ({ claims: { htu: "https://ada@app.example/api/data" } }),
    ],
    [
      "for an address with a password",
      () => ({ claims: { htu: "https://:secret@app.example/api/data" } }),
    ],
    ["for no address", () => ({ claims: { htu: "/api/data" } })],
    ["without an address", () => ({ claims: { htu: undefined } })],
    ["for another token", () => ({ claims: { ath: sha256("another token") } })],
    ["without a token", () => ({ claims: { ath: undefined } })],
    ["that is too old", () => ({ claims: { iat: startSeconds - 301 } })],
    ["of the future", () => ({ claims: { iat: startSeconds + 301 } })],
    ["whose time is no number", () => ({ claims: { iat: String(startSeconds) } })],
    ["without a time", () => ({ claims: { iat: undefined } })],
    ["whose end is past", () => ({ claims: { exp: startSeconds - 30 } })],
    ["whose end is no number", () => ({ claims: { exp: null } })],
    ["that is not valid yet", () => ({ claims: { nbf: startSeconds + 31 } })],
    ["whose start is no number", () => ({ claims: { nbf: "0" } })],
    ["whose key is for encryption", () => ({ header: { jwk: { ...publicJWK, use: "enc" } } })],
    [
      "whose key is for another algorithm",
      () => ({ header: { jwk: { ...publicJWK, alg: "ES384" } } }),
    ],
    ["whose key may not verify", () => ({ header: { jwk: { ...publicJWK, key_ops: ["sign"] } } })],
    ["without a jti", () => ({ claims: { jti: undefined } })],
    ["with an empty jti", () => ({ claims: { jti: "" } })],
    ["with a jti that is no text", () => ({ claims: { jti: 7 } })],
  ];
  test.each(cases)("%s", async (_, change) => {
    const app = await createApiApp();
    const { status, challenge, body, headers } = await callWith(app, change());
    const description = "The DPoP proof is not accepted.";
    const error = `DPoP error="invalid_dpop_proof", error_description="${description}"`;
    expect([status, challenge]).toEqual([401, `${error}, ${algs.slice("DPoP ".length)}`]);
    expect(body).toEqual({ error: "invalid_dpop_proof", description });
    expect(headers.get("dpop-nonce")).toBeNull();
  });

  test("that is missing, repeated or no JWT", async () => {
    const app = await createApiApp();
    const token = await app.token({ cnf: { jkt } });
    const authorization = `DPoP ${token}`;
    const twice = `${await proofFor(token)}, ${await proofFor(token)}`;
    for (const headers of [
      { authorization },
      { authorization, dpop: twice },
      { authorization, dpop: "x" },
    ]) {
      expect(await app.call({ headers })).toMatchObject({ body: { error: "invalid_dpop_proof" } });
    }
  });

  test("whose algorithm is not accepted, also with a good key", async () => {
    const app = await createApiApp();
    const { publicKey, privateKey } = await keyPair("ES512", "client");
    const jwk = await exportJWK(publicKey);
    const token = await app.token({ cnf: { jkt: await calculateJwkThumbprint(jwk) } });
    const claims = { htm: "GET", htu: "https://app.example/api/data", iat: startSeconds, jti: "1" };
    const dpop = await new CompactSign(
      Buffer.from(JSON.stringify({ ...claims, ath: sha256(token) })),
    )
      .setProtectedHeader({ alg: "ES512", typ: "dpop+jwt", jwk })
      .sign(privateKey);
    const { body } = await app.call({ headers: { authorization: `DPoP ${token}`, dpop } });
    expect(body).toMatchObject({ error: "invalid_dpop_proof" });
  });
});

describe("a proof is accepted", () => {
  test.each([
    { iat: startSeconds - 300 },
    { iat: startSeconds + 300 },
    { exp: startSeconds - 29, nbf: startSeconds + 30 },
    { htu: "HTTPS://APP.example:443/api/data" },
    { htu: "https://app.example/api/data?query#fragment" },
    { htu: "https://app.example/api/%64ata" },
  ])("with %j", async (claims) => {
    const app = await createApiApp();
    expect(await callWith(app, { claims })).toMatchObject({ status: 200 });
  });

  test("with a key that says what it is for", async () => {
    const app = await createApiApp();
    const jwk = { ...publicJWK, use: "sig", alg: "ES256", key_ops: ["verify"] };
    expect(await callWith(app, { header: { jwk } })).toMatchObject({ status: 200 });
  });

  test("with the typ as a media type", async () => {
    const app = await createApiApp();
    expect(await callWith(app, { header: { typ: "application/DPoP+jwt" } })).toMatchObject({
      status: 200,
    });
  });

  test("for the public address below the path of a proxy, whatever Host came [AP-028]", async () => {
    const app = await createApiApp({}, { baseURL: "https://app.example/shop" });
    const token = await app.token({ cnf: { jkt } });
    const authorization = `DPoP ${token}`;
    const claims = { htu: "https://app.example/shop/api/data" };
    const ask = async (path: string) => {
      const dpop = await proofFor(token, { claims });
      const request = new Request(`https://evil.example${path}`, {
        headers: { authorization, dpop, host: "evil.example" },
      });
      return (await app.auth.respond(request, () => new Response("done"))).status;
    };
    expect([await ask("/shop/api/data"), await ask("/api/data")]).toEqual([200, 200]);
  });

  test("with escapes in either spelling", async () => {
    const app = await createApiApp();
    const token = await app.token({ cnf: { jkt } });
    const claims = { htu: "https://app.example/api/a%c3%a4%2f" };
    const headers = { authorization: `DPoP ${token}`, dpop: await proofFor(token, { claims }) };
    expect(await app.call({ path: "/api/a%C3%A4%2F", headers })).toMatchObject({ status: 200 });
  });
});

describe("scheme and binding belong together [AP-027]", () => {
  const bearerError = (description: string) =>
    `Bearer realm="https://app.example", error="invalid_token", error_description="${description}", ${algs}`;

  test("a bound token as Bearer is refused, with a proof or without", async () => {
    const app = await createApiApp();
    const token = await app.token({ cnf: { jkt } });
    const expected = bearerError("The access token needs a DPoP proof.");
    expect(await app.call({ token })).toMatchObject({ status: 401, challenge: expected });
    const dpop = await proofFor(token);
    expect(await app.call({ token, headers: { dpop } })).toMatchObject({ challenge: expected });
  });

  test("a token that is not bound is refused as DPoP", async () => {
    const app = await createApiApp();
    const token = await app.token();
    const headers = { authorization: `DPoP ${token}`, dpop: await proofFor(token) };
    const challenge = bearerError("The access token is not bound to a key.");
    expect(await app.call({ headers })).toMatchObject({ status: 401, challenge });
  });

  test("with dpop false a bound token is refused, and no proof is offered", async () => {
    const app = await createApiApp({ dpop: false });
    const description = "Access tokens that are bound to a key are not accepted.";
    expect(await callWith(app)).toMatchObject({
      status: 401,
      challenge: `Bearer realm="https://app.example", error="invalid_token", error_description="${description}"`,
    });
    const unbound = await app.call({ token: await app.token() });
    expect([unbound.status, [...unbound.headers.keys()]]).toEqual([200, plainHeaders]);
  });

  test("with isRequired a token that is not bound is refused", async () => {
    const app = await createApiApp({ dpop: { isRequired: true } });
    expect(await app.call({ token: await app.token() })).toMatchObject({
      status: 401,
      body: { description: "The access token must be bound to a key." },
    });
    expect(await callWith(app)).toMatchObject({ status: 200 });
  });

  test("the key of a DPoP token of Keycloak marks it", async () => {
    const app = await createApiApp({ profile: "keycloak" });
    const token = await app.token({ typ: "DPoP", azp: "robot", cnf: { jkt } }, { typ: "JWT" });
    const headers = { authorization: `DPoP ${token}`, dpop: await proofFor(token) };
    expect(await app.call({ headers })).toMatchObject({ status: 200 });
  });
});

describe("a token that the provider describes as bound [AP-026]", () => {
  const describeAs = (members: Members) => () => Response.json({ ...good, ...members });

  async function answerTo(change: ProofChange, members: Members = { cnf: { jkt } }) {
    const { app } = await createIntrospectingApp({}, describeAs(members));
    const headers = { authorization: "DPoP opaque", dpop: await proofFor("opaque", change) };
    return app.call({ headers });
  }

  test.each([{ token_type: "DPoP" }, { token_type: "Bearer" }, { token_type: undefined }])(
    "counts with its proof, with %j",
    async (members) => {
      expect(await answerTo({}, { cnf: { jkt }, ...members })).toMatchObject({
        status: 200,
        made: "ada",
      });
    },
  );

  test.each<[string, ProofChange]>([
    ["of another key", { signer: "other client" }],
    ["for another token", { claims: { ath: sha256("another") } }],
    ["for another address", { claims: { htu: "https://app.example/" } }],
    ["that is too old", { claims: { iat: startSeconds - 301 } }],
  ])("is refused with a proof %s", async (_, change) => {
    expect(await answerTo(change)).toMatchObject({ body: { error: "invalid_dpop_proof" } });
  });

  test("is refused as Bearer, with the key of another client, and without a key", async () => {
    const { app } = await createIntrospectingApp({}, describeAs({ cnf: { jkt } }));
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 401 });
    const other = await calculateJwkThumbprint(otherJWK);
    expect(await answerTo({}, { cnf: { jkt: other } })).toMatchObject({ status: 401 });
    expect(await answerTo({}, {})).toMatchObject({ status: 401 });
  });

  test("causes one introspection, and each of its proofs counts once", async () => {
    const { app, asked } = await createIntrospectingApp({}, describeAs({ cnf: { jkt } }));
    const authorization = "DPoP opaque";
    const dpop = await proofFor("opaque");
    expect(await app.call({ headers: { authorization, dpop } })).toMatchObject({ status: 200 });
    expect(await app.call({ headers: { authorization, dpop } })).toMatchObject({ status: 401 });
    const next = await proofFor("opaque");
    expect(await app.call({ headers: { authorization, dpop: next } })).toMatchObject({
      status: 200,
    });
    expect(asked).toHaveLength(1);
  });
});

describe("a proof is used once [AP-029]", () => {
  const claims = { jti: "once" };

  test("in one process, with one warning without a store", async () => {
    const app = await createApiApp();
    expect(await callWith(app, { claims })).toMatchObject({ status: 200 });
    expect(await callWith(app, { claims })).toMatchObject({ status: 401 });
    expect(await callWith(app)).toMatchObject({ status: 200 });
    app.clock.seconds = 300;
    const lastMoment = { ...claims, iat: startSeconds };
    expect(await callWith(app, { claims: lastMoment })).toMatchObject({ status: 401 });
    const warnings = app.events.filter(({ event }) => event === "warning");
    expect(warnings.filter((each) => JSON.stringify(each).includes("DPoP proofs"))).toHaveLength(1);
  });

  test.each(["memory", "the store"])(
    "a proof of the future stays in %s while it counts",
    async (place) => {
      let seconds = 0;
      const store = memoryStore(() => (startSeconds + seconds) * 1000);
      const app = await createApiApp({}, place === "the store" ? { store } : {});
      const early = { jti: "early", iat: startSeconds + 300 };
      expect(await callWith(app, { claims: early })).toMatchObject({ status: 200 });
      app.clock.seconds = seconds = 600;
      const token = await app.token({ cnf: { jkt }, exp: startSeconds + 900 });
      const headers = {
        authorization: `DPoP ${token}`,
        dpop: await proofFor(token, { claims: early }),
      };
      expect(await app.call({ headers })).toMatchObject({ status: 401 });
    },
  );

  test("by two instances with one store", async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const store = memoryStore();
    const clock = () => seconds * 1000;
    const times = { iat: seconds, exp: seconds + 300 };
    const ask = async () => {
      const app = await createApiApp({}, { store, clock });
      const token = await app.token({ cnf: { jkt }, ...times });
      const dpop = await proofFor(token, { claims: { jti: "shared", iat: seconds } });
      const { status } = await app.call({ headers: { authorization: `DPoP ${token}`, dpop } });
      const warned = JSON.stringify(app.events).includes("DPoP proofs");
      return [status, warned];
    };
    expect([await ask(), await ask()]).toEqual([
      [200, false],
      [401, false],
    ]);
  });

  test("another key may use the same jti", async () => {
    const app = await createApiApp();
    expect(await callWith(app, { claims })).toMatchObject({ status: 200 });
    const other = await calculateJwkThumbprint(otherJWK);
    const token = await app.token({ cnf: { jkt: other } });
    const change = { claims, header: { jwk: otherJWK }, signer: "other client" };
    const headers = { authorization: `DPoP ${token}`, dpop: await proofFor(token, change) };
    expect(await app.call({ headers })).toMatchObject({ status: 200 });
  });

  test("a store that is down is 503", async () => {
    const down = () => Promise.reject(new Error("down"));
    const app = await createApiApp({}, { store: { ...memoryStore(), add: down } });
    expect(await callWith(app)).toMatchObject({ status: 503, challenge: null });
  });
});

describe("with nonces [AP-030]", () => {
  const options = { dpop: { nonce: true } } as const;

  test("a proof without one, or with a wrong one, gets the nonce to use", async () => {
    const app = await createApiApp(options);
    for (const nonce of [undefined, "wrong", 7]) {
      const { status, challenge, headers } = await callWith(app, { claims: { nonce } });
      const description = "The DPoP proof needs the nonce of this response.";
      expect(status).toBe(401);
      expect(challenge).toContain(
        `DPoP error="use_dpop_nonce", error_description="${description}"`,
      );
      expect(headers.get("dpop-nonce")).toMatch(/^[\w-]{43}$/);
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });

  test("a client that follows is admitted, and gets the next nonce when it is due", async () => {
    const app = await createApiApp(options);
    const nonce = (await callWith(app)).headers.get("dpop-nonce");
    const ask = (seconds: number, of = nonce) => {
      app.clock.seconds = seconds;
      return callWith(app, { claims: { nonce: of, iat: startSeconds + seconds } });
    };
    const fresh = await ask(119);
    expect([fresh.status, [...fresh.headers.keys()]]).toEqual([200, plainHeaders]);
    const due = await ask(120);
    const next = due.headers.get("dpop-nonce");
    expect(due.status).toBe(200);
    expect(next).toMatch(/^[\w-]{43}$/);
    expect(next).not.toBe(nonce);
    expect(await ask(239)).toMatchObject({ status: 200 });
    expect(await ask(240)).toMatchObject({ status: 401 });
    expect(await ask(241, next)).toMatchObject({ status: 200 });
  });

  test("a nonce of an instance with the former secret counts while secrets change", async () => {
    const [former, next] = ["f".repeat(32), "n".repeat(32)];
    const old = await createApiApp(options, { secret: former });
    const nonce = (await callWith(old)).headers.get("dpop-nonce");
    const both = await createApiApp(options, { secret: [next, former] });
    expect(await callWith(both, { claims: { nonce } })).toMatchObject({ status: 200 });
    const without = await createApiApp(options, { secret: next });
    expect(await callWith(without, { claims: { nonce } })).toMatchObject({ status: 401 });
  });
});
