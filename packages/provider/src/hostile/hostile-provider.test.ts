import { createHash } from "node:crypto";
import { get } from "node:https";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { createCertificate } from "../http/certificate.ts";
import type { HostileAuthMethod, HostileProvider, HostileSettings } from "./index.ts";
import { behaviorNames, behaviorOf, behaviorsOfID, startHostileProvider } from "./index.ts";

const redirectURI = "http://localhost:9/callback";
const verifier = "v".repeat(43);
let provider: HostileProvider;

async function start(settings: HostileSettings = {}): Promise<HostileProvider> {
  provider = await startHostileProvider(settings);
  return provider;
}

afterEach(() => provider?.close());

function authorizationURL(parameters: Record<string, string> = {}): string {
  const url = new URL(`${provider.url}/authorize`);
  url.search = new URLSearchParams({
    client_id: provider.client.id,
    redirect_uri: redirectURI,
    response_type: "code",
    scope: "openid",
    state: "the-state",
    nonce: "the-nonce",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...parameters,
  }).toString();
  return url.href;
}

async function newCode(): Promise<string> {
  const visit = await provider.visit(authorizationURL());
  return new URL(visit?.url ?? "").searchParams.get("code") ?? "";
}

function basic(secret: string = provider.client.secret): Record<string, string> {
  const pair = new URLSearchParams([[provider.client.id, secret]]).toString().replace("=", ":");
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

async function tokens(
  form: Record<string, string>,
  headers: Record<string, string> = basic(),
): Promise<{ status: number; body: Record<string, unknown> }> {
  const body = new URLSearchParams({ redirect_uri: redirectURI, code_verifier: verifier, ...form });
  const response = await fetch(`${provider.url}/token`, { method: "POST", headers, body });
  return { status: response.status, body: Object(await response.json()) };
}

async function exchange(more: Record<string, string> = {}, headers?: Record<string, string>) {
  const code = await newCode();
  return tokens({ grant_type: "authorization_code", code, ...more }, headers);
}

describe("a code", () => {
  it("can be exchanged once", async () => {
    await start();
    const code = await newCode();
    const form = { grant_type: "authorization_code", code };
    expect((await tokens(form)).body).toMatchObject({ token_type: "Bearer", expires_in: 300 });
    expect((await tokens(form)).body).toMatchObject({ error: "invalid_grant" });
  });

  it("is rejected with another PKCE verifier, unless the behavior ignores PKCE", async () => {
    await start();
    const wrong = { code_verifier: "w".repeat(43) };
    expect((await exchange(wrong)).body).toMatchObject({ error: "invalid_grant" });
    provider.behave("STD-044");
    expect((await exchange(wrong)).status).toBe(200);
  });

  it("is rejected with another redirect URI, which is recorded as a complaint", async () => {
    await start();
    const { body } = await exchange({ redirect_uri: "http://localhost:9/elsewhere" });
    expect(body).toMatchObject({ error: "invalid_grant" });
    expect(provider.complaints.map(({ id }) => id)).toEqual(["CERT-006"]);
  });
});

describe("client authentication", () => {
  const methodsOfClient: Record<
    string,
    () => { form: Record<string, string>; headers: Record<string, string> }
  > = {
    client_secret_basic: () => ({ form: {}, headers: basic() }),
    client_secret_post: () => ({
      form: { client_id: provider.client.id, client_secret: provider.client.secret },
      headers: {},
    }),
    none: () => ({ form: { client_id: provider.client.id }, headers: {} }),
  };
  const methods: readonly HostileAuthMethod[] = [
    "client_secret_basic",
    "client_secret_post",
    "none",
  ];

  it.each(methods)("accepts only %s if it is the registered method", async (authMethod) => {
    await start({ client: { authMethod } });
    for (const [method, make] of Object.entries(methodsOfClient)) {
      const { form, headers } = make();
      const { status } = await exchange(form, headers);
      expect([method, status]).toEqual([method, method === authMethod ? 200 : 401]);
    }
  });

  it("rejects two methods in one request", async () => {
    await start();
    const { status } = await exchange({ client_secret: provider.client.secret });
    expect(status).toBe(401);
    expect(provider.complaints[0]?.id).toBe("CERT-007");
  });

  it("rejects a wrong secret and a secret without form encoding", async () => {
    await start();
    expect((await exchange({}, basic("wrong"))).status).toBe(401);
    const { id, secret } = provider.client;
    const raw = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
    expect((await exchange({}, raw)).status).toBe(401);
    provider.behave("PROVIDERS/raw-basic");
    expect((await exchange({}, raw)).status).toBe(200);
    expect((await exchange({}, basic())).status).toBe(401);
  });
});

describe("a refresh token", () => {
  it("is rejected at its second use, which revokes its successor too", async () => {
    await start();
    const { body } = await exchange();
    const refresh = (token: unknown) =>
      tokens({ grant_type: "refresh_token", refresh_token: String(token) });
    const first = await refresh(body["refresh_token"]);
    expect(first.status).toBe(200);
    expect((await refresh(body["refresh_token"])).body).toMatchObject({ error: "invalid_grant" });
    expect((await refresh(first.body["refresh_token"])).status).toBe(400);
  });
});

describe("the request log", () => {
  it("contains every request with endpoint, headers and form until it is reset", async () => {
    await start();
    await exchange();
    expect(provider.requests.map(({ endpoint }) => endpoint)).toEqual(["authorization", "token"]);
    const [seen] = provider.requestsTo("token");
    expect(seen?.form.get("code_verifier")).toBe(verifier);
    expect(seen?.headers.authorization).toMatch(/^Basic /u);
    provider.resetLog();
    expect(provider.requests).toEqual([]);
  });

  it("comes with complaints about an unknown address and a faulty authorization request", async () => {
    await start();
    await fetch(`${provider.url}/unknown`);
    await provider.visit(authorizationURL({ nonce: "", scope: "profile" }));
    expect(provider.complaints.map(({ id }) => id)).toEqual(["CERT-011", "CERT-001", "CERT-004"]);
  });

  it("of the stranger contains the requests redirected to it", async () => {
    await start({ behavior: "REL-F13/307/token" });
    await fetch(`${provider.url}/token`, { method: "POST", body: "code=secret-code" });
    expect(provider.stranger.requests.map(({ path, body }) => [path, body])).toEqual([
      ["/token", "code=secret-code"],
    ]);
  });
});

describe("behave", () => {
  it("combines names and own behaviors from the next request on", async () => {
    await start();
    provider.behave(["CERT-025", { idToken: { claims: (own) => ({ ...own, extra: "yes" }) } }]);
    const { body } = await exchange();
    const claims = decodeJwt(String(body["id_token"]));
    expect(claims).toMatchObject({ extra: "yes" });
    expect(claims).not.toHaveProperty("sub");
    provider.behave("well");
    const again = await exchange();
    expect(decodeJwt(String(again.body["id_token"])).sub).toBe(provider.person["sub"]);
  });
});

describe("the names of behaviors", () => {
  it("are unique, have a sentence, and include all variants of an id", () => {
    expect(behaviorsOfID("STD-001")).toHaveLength(5);
    expect(behaviorsOfID("CERT-022")).toEqual(["CERT-022"]);
    expect(new Set(behaviorNames).size).toBe(behaviorNames.length);
    for (const name of behaviorNames) expect(behaviorOf(name).says).toMatch(/^[a-z].*[^.]$/u);
  });
});

describe("a minted token", () => {
  it("has the overrides and the faults of the behavior", async () => {
    await start();
    const token = provider.mintLogoutToken({ sub: "someone", sid: undefined });
    expect(decodeJwt(token)).toMatchObject({ sub: "someone", iss: provider.issuer });
    expect(decodeJwt(token)).not.toHaveProperty("sid");
    expect(decodeProtectedHeader(token)).not.toHaveProperty("typ");
    provider.behave("STD-108/at+jwt");
    expect(decodeProtectedHeader(provider.mintLogoutToken())).toMatchObject({ typ: "at+jwt" });
    expect(decodeJwt(provider.mintIDToken({ nonce: "n" }))).toMatchObject({ nonce: "n" });
  });

  it("names the session of the last sign-in", async () => {
    await start();
    const { body } = await exchange();
    const { sid } = decodeJwt(String(body["id_token"]));
    expect(decodeJwt(provider.mintLogoutToken())["sid"]).toBe(sid);
  });
});

describe("the end-session endpoint", () => {
  const target = "http://localhost:9/signed-out";

  async function endSession(parameters: Record<string, string>): Promise<string | null> {
    const query = new URLSearchParams({ post_logout_redirect_uri: target, ...parameters });
    const url = `${provider.url}/end-session?${query.toString()}`;
    return (await fetch(url, { redirect: "manual" })).headers.get("location");
  }

  it("redirects with the state for an ID token of this provider, and rejects a forged one", async () => {
    await start();
    const hint = provider.mintIDToken();
    expect(await endSession({ id_token_hint: hint, state: "s" })).toBe(`${target}?state=s`);
    expect(await endSession({ id_token_hint: "forged", state: "s" })).toBeNull();
    expect(provider.complaints.map(({ id }) => id)).toEqual(["CERT-070"]);
  });

  it.each([
    ["CERT-071", `${target}?state=another-state`],
    ["CERT-072", target],
    ["STD-127", `${target}?state=https%3A%2F%2Fevil.example%2F&returnTo=%2F%2Fevil.example`],
  ] as const)("redirects with hostile parameters under %s", async (name, location) => {
    await start({ behavior: name });
    expect(await endSession({ client_id: provider.client.id, state: "s" })).toBe(location);
  });

  it.each([
    ["STD-125", expect.stringContaining("/end-session?tenant=a%26b")],
    ["PROVIDERS/no-end-session", undefined],
  ] as const)("appears in the metadata as %s describes", async (name, endpoint) => {
    await start({ behavior: name });
    const response = await fetch(`${provider.url}/.well-known/openid-configuration`);
    expect(Object(await response.json()).end_session_endpoint).toEqual(endpoint);
  });
});

describe("the issuer", () => {
  it.each(["/realms/one", "/tenant/", "/"])("can have the path %s", async (issuerPath) => {
    await start({ issuerPath });
    const base = provider.issuer.replace(/\/$/u, "");
    const response = await fetch(`${base}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      issuer: `${provider.url}${issuerPath}`,
      token_endpoint: `${base}/token`,
    });
  });
});

describe("https", () => {
  it("is served when the settings contain a certificate", async () => {
    const tls = await createCertificate();
    await start({ tls });
    expect(provider.issuer).toMatch(/^https:/u);
    const address = new URL(`${provider.issuer}/.well-known/openid-configuration`);
    const status = await new Promise((resolve, reject) => {
      get(address, { ca: tls.cert, agent: false }, (response) =>
        resolve(response.resume().statusCode),
      ).on("error", reject);
    });
    expect(status).toBe(200);
  });
});

describe("rotateKeys", () => {
  it("replaces the published keys", async () => {
    await start();
    const read = async () => (await fetch(`${provider.url}/keys`)).text();
    const before = await read();
    expect(await read()).toBe(before);
    await provider.rotateKeys();
    expect(await read()).not.toBe(before);
  });
});
