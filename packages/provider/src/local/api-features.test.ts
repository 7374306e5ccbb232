import { createServer } from "node:https";
import { once } from "node:events";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import {
  apiToken,
  createProver,
  membersOf,
  notes,
  readAccessToken,
} from "../../test/api-tokens.ts";
import { createProviderBrowser } from "../../test/browser.ts";
import { authorizationRequest, clientOf, signInAs, tokenRequest } from "../../test/sign-in.ts";
import type { ProviderSettings, RunningProvider } from "../index.ts";
import { createCertificate, startProvider } from "../index.ts";

let running: RunningProvider | undefined;

async function start(settings: ProviderSettings): Promise<RunningProvider> {
  running = await startProvider(settings);
  return running;
}

afterEach(() => running?.close());

const opaque = { ...notes, tokenFormat: "opaque" } as const;

describe("access tokens for an API", () => {
  it("are JWTs of RFC 9068 with the audience and the scopes of the API", async () => {
    const provider = await start({ resources: [{ ...notes, signingAlg: "ES256" }] });
    const token = await apiToken(provider, notes.identifier, "notes:read");
    const { claims, header } = await readAccessToken(provider, token);
    expect(header).toMatchObject({ typ: "at+jwt", alg: "ES256" });
    expect(claims).toMatchObject({
      iss: provider.issuer,
      aud: notes.identifier,
      sub: "person-ada",
      client_id: "latchkey",
      scope: "notes:read",
    });
  });

  it("have the audience of the settings if it differs from the identifier", async () => {
    const provider = await start({ resources: [{ ...notes, audience: "api-guid" }] });
    const token = await apiToken(provider, `${notes.identifier}/`);
    expect((await readAccessToken(provider, token)).claims.aud).toBe("api-guid");
  });

  it("lack a scope that the API does not have", async () => {
    const provider = await start({ resources: [notes] });
    const token = await apiToken(provider, notes.identifier, "notes:read email");
    expect((await readAccessToken(provider, token)).claims["scope"]).toBe("notes:read");
  });

  it("are refused for an API that is not in the settings", async () => {
    const provider = await start({ resources: [notes] });
    const url = authorizationRequest(provider, { resource: "https://other.example/" }).url;
    const { searchParams } = (await createProviderBrowser(provider.url).open(url)).url;
    expect(searchParams.get("error")).toBe("invalid_target");
  });

  it("are refused for every API by default", async () => {
    const provider = await start({});
    const url = authorizationRequest(provider, { resource: notes.identifier }).url;
    const { searchParams } = (await createProviderBrowser(provider.url).open(url)).url;
    expect(searchParams.get("error")).toBe("invalid_target");
  });
});

describe("introspection", () => {
  it("describes an opaque access token to a client with a secret", async () => {
    const provider = await start({ resources: [opaque], introspection: true });
    const token = await apiToken(provider, notes.identifier);
    expect(await introspect(provider, token)).toMatchObject({
      active: true,
      iss: provider.issuer,
      aud: notes.identifier,
      sub: "person-ada",
      scope: "notes:read",
      token_type: "Bearer",
    });
  });

  it("says nothing else of a token that it does not know", async () => {
    const provider = await start({ resources: [opaque], introspection: true });
    expect(await introspect(provider, "unknown")).toEqual({ active: false });
  });

  it("says nothing of a token to a client without a secret", async () => {
    const reader = {
      id: "reader",
      authMethod: "none",
      redirectURIs: ["http://localhost/"],
    } as const;
    const provider = await start({
      resources: [opaque],
      introspection: true,
      appURL: "http://localhost:3000",
      clients: [reader],
    });
    const token = await apiToken(provider, notes.identifier);
    const response = await fetch(`${provider.issuer}/token/introspection`, {
      method: "POST",
      body: new URLSearchParams({ token, client_id: "reader" }),
    });
    expect(await membersOf(response)).toEqual({ active: false });
  });

  it("is off by default", async () => {
    const provider = await start({ resources: [opaque] });
    const response = await fetch(`${provider.issuer}/token/introspection`, { method: "POST" });
    expect(response.status).toBe(404);
    expect(await metadata(provider)).not.toHaveProperty("introspection_endpoint");
  });
});

async function introspect(provider: RunningProvider, token: string): Promise<unknown> {
  const { id, secret } = clientOf(provider);
  const response = await fetch(`${provider.issuer}/token/introspection`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ token }),
  });
  return response.json();
}

async function metadata(provider: RunningProvider): Promise<Record<string, unknown>> {
  return membersOf(await fetch(`${provider.issuer}/.well-known/openid-configuration`));
}

describe("DPoP", () => {
  it("binds an access token to the key of the proof", async () => {
    const provider = await start({ resources: [notes] });
    const prove = await createProver(provider);
    const answer = await codeRequest(provider, { DPoP: await prove() });
    expect(answer).toMatchObject({ token_type: "DPoP" });
    const { claims } = await readAccessToken(provider, answer["access_token"]);
    expect(claims["cnf"]).toEqual({ jkt: expect.stringMatching(/^[\w-]{43}$/u) });
  });

  it("is required of a client with `requireDPoP`", async () => {
    const provider = await start({ resources: [notes], client: { requireDPoP: true } });
    expect(await codeRequest(provider, {})).toMatchObject({ error: "invalid_grant" });
  });

  it("accepts a proof with the nonce of the provider only if `dpopNonce` is set", async () => {
    const provider = await start({ resources: [notes], dpopNonce: true });
    const prove = await createProver(provider);
    const { stop, verifier } = await signInForNotes(provider);
    const form = codeForm(provider, stop.url.searchParams.get("code") ?? "", verifier);
    const refused = await tokenRequest(provider, form, { headers: { DPoP: await prove() } });
    expect(await refused.json()).toMatchObject({ error: "use_dpop_nonce" });
    const nonce = refused.headers.get("DPoP-Nonce") ?? "";
    const taken = await tokenRequest(provider, form, { headers: { DPoP: await prove(nonce) } });
    expect(await taken.json()).toMatchObject({ token_type: "DPoP" });
  });
});

function signInForNotes(provider: RunningProvider) {
  const parameters = { resource: notes.identifier, scope: "openid notes:read" };
  return signInAs(provider, "person-ada", parameters);
}

function codeForm(provider: RunningProvider, code: string, verifier: string) {
  return {
    grant_type: "authorization_code",
    code,
    redirect_uri: clientOf(provider).redirectURIs[0] ?? "",
    code_verifier: verifier,
    resource: notes.identifier,
  };
}

async function codeRequest(
  provider: RunningProvider,
  headers: Record<string, string>,
): Promise<Record<string, unknown>> {
  const { stop, verifier } = await signInForNotes(provider);
  const form = codeForm(provider, stop.url.searchParams.get("code") ?? "", verifier);
  return membersOf(await tokenRequest(provider, form, { headers }));
}

describe("dynamic registration", () => {
  const newcomer = {
    client_name: "Newcomer",
    redirect_uris: ["http://localhost:9999/callback"],
    token_endpoint_auth_method: "none",
  };

  it("gives a new client an ID, with which it may start a sign-in", async () => {
    const provider = await start({ registration: true });
    const response = await register(provider, newcomer);
    expect(response.status).toBe(201);
    const { client_id: id } = await membersOf(response);
    const redirectURI = newcomer.redirect_uris[0] ?? "";
    const page = await openSignIn(provider, { client_id: String(id), redirect_uri: redirectURI });
    expect(page.text).toContain("Newcomer");
  });

  it("refuses an authorization request of a client without a secret and without PKCE", async () => {
    const provider = await start({ registration: true });
    const { client_id: id } = await membersOf(await register(provider, newcomer));
    const url = new URL("/auth", provider.url);
    url.search = new URLSearchParams({
      client_id: String(id),
      redirect_uri: newcomer.redirect_uris[0] ?? "",
      response_type: "code",
      scope: "openid",
    }).toString();
    const { searchParams } = (await createProviderBrowser(provider.url).open(url.href)).url;
    expect(searchParams.get("error")).toBe("invalid_request");
  });

  it.each([
    ["takes a scope of an API", "notes:read", 201],
    ["refuses an unknown scope", "notes:delete", 400],
  ])("%s", async (_name, scope, status) => {
    const provider = await start({ registration: true, resources: [notes] });
    expect((await register(provider, { ...newcomer, scope })).status).toBe(status);
  });

  it("grants all scopes of the APIs to a client that names one of them", async () => {
    const resources = [{ ...notes, scopes: ["notes:read", "notes:write"] }];
    const provider = await start({ registration: true, resources });
    const response = await register(provider, { ...newcomer, scope: "notes:read" });
    expect(await response.json()).toMatchObject({
      scope: "openid offline_access notes:read notes:write",
    });
  });

  it("is off by default", async () => {
    const provider = await start({});
    expect((await register(provider, newcomer)).status).toBe(404);
    expect(await metadata(provider)).not.toHaveProperty("registration_endpoint");
  });
});

function register(provider: RunningProvider, body: object): Promise<Response> {
  return fetch(`${provider.issuer}/reg`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

function openSignIn(provider: RunningProvider, parameters: Record<string, string>) {
  return createProviderBrowser(provider.url).open(authorizationRequest(provider, parameters).url);
}

describe("client ID metadata documents", () => {
  it("introduce a client by the https address of its document", async () => {
    const provider = await start({ clientIDMetadataDocuments: true });
    expect(await metadata(provider)).toMatchObject({ client_id_metadata_document_supported: true });
    await withDocument({}, async (parameters) => {
      expect((await openSignIn(provider, parameters)).text).toContain("Document client");
    });
  });

  it("are refused if their `client_id` is another address", async () => {
    const provider = await start({ clientIDMetadataDocuments: true });
    await withDocument({ client_id: "https://other.example/client" }, async (parameters) => {
      expect((await openSignIn(provider, parameters)).status).toBe(400);
    });
  });

  it("are not fetched by default", async () => {
    const provider = await start({});
    await withDocument({}, async (parameters, requests) => {
      expect((await openSignIn(provider, parameters)).status).toBe(400);
      expect(requests()).toBe(0);
    });
    expect(await metadata(provider)).not.toHaveProperty("client_id_metadata_document_supported");
  });
});

/** Serves the document of a client over https. */
async function withDocument(
  changes: object,
  use: (parameters: Record<string, string>, requests: () => number) => Promise<void>,
): Promise<void> {
  const trusted = getCACertificates("default");
  const certificate = await createCertificate();
  setDefaultCACertificates([...trusted, certificate.cert]);
  let requests = 0;
  const server = createServer(certificate, (request, response) => {
    requests += 1;
    const id = `https://${request.headers.host}/client.json`;
    const client = { client_id: id, client_name: "Document client", redirect_uris: [redirectURI] };
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ ...client, token_endpoint_auth_method: "none", ...changes }));
  });
  const redirectURI = "http://localhost:9999/callback";
  await once(server.listen(0, "localhost"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const parameters = {
    client_id: `https://localhost:${port}/client.json`,
    redirect_uri: redirectURI,
  };
  try {
    await use(parameters, () => requests);
  } finally {
    setDefaultCACertificates(trusted);
    server.close();
    server.closeAllConnections();
  }
}
