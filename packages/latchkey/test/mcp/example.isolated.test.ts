import { createCertificate, type RunningProvider, startProvider } from "@latchkey/provider";
import { decodeJwt } from "jose";
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { createApp, notesAPI } from "../../../../examples/mcp-server/app.ts";
import { createAuth, type Options } from "../../src/index.ts";
import { signedInCookies } from "../../src/testing/index.ts";
import { clientMetadata, createSDKClient } from "./sdk-client.ts";

/** What the servers of the test share. */
const trusted = getCACertificates("default");
const lifetimes = { accessToken: 3600 };
let offsetMs = 0;
let provider: RunningProvider;
let app: Server;
let origin: string;
let options: Options;
let metadataURL: string;

beforeAll(async () => {
  const certificate = await createCertificate();
  const client = createServer(certificate, (_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ client_id: metadataURL, ...clientMetadata }));
  });
  metadataURL = `${await listen(client)}/client.json`;
  app = createServer(certificate);
  origin = await listen(app);
  provider = await startProvider({
    https: certificate,
    appURL: origin,
    lifetimes,
    resources: [{ identifier: `${origin}/mcp`, scopes: ["notes:read", "notes:write"] }],
    clientIDMetadataDocuments: true,
    registration: true,
  });
  setDefaultCACertificates([...trusted, certificate.cert]);
  const [registered] = provider.clients;
  options = {
    secret: "a-secret-of-the-test-suite-0123456789abcdef",
    baseURL: origin,
    issuerBaseURL: provider.issuer,
    clientID: registered?.id ?? "",
    clientSecret: registered?.secret,
    api: notesAPI,
    clock: () => Date.now() + offsetMs,
    log: () => undefined,
  };
  const auth = createAuth(options);
  app.on("request", createApp(auth));
  return async () => {
    for (const server of [app, client]) {
      server.close();
      server.closeAllConnections();
    }
    await auth.close();
    await provider.close();
  };
});

afterAll(() => setDefaultCACertificates(trusted));

beforeEach(() => {
  offsetMs = 0;
  lifetimes.accessToken = 3600;
});

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "localhost"), "listening");
  const address = server.address();
  return `https://localhost:${typeof address === "object" ? address?.port : ""}`;
}

const newClient = (era: "modern" | "legacy", withDocument = true) =>
  createSDKClient({
    url: `${origin}/mcp`,
    provider: provider.issuer,
    era,
    ...(withDocument ? { metadataURL } : {}),
  });

describe.each([
  ["2026-07-28", "modern"],
  ["2025-11-25", "legacy"],
] as const)(
  "the example of an MCP server, with the official client of %s [AP-047]",
  (revision, era) => {
    test("is found, authorizes the client by its metadata document, and runs a tool", async () => {
      const client = newClient(era);
      expect(await client.call("list-notes")).toContain("text");
      expect(client.requests.slice(0, 2)).toEqual([
        "POST /mcp 401",
        "GET /.well-known/oauth-protected-resource/mcp 200",
      ]);
      expect(client.requests.at(-1)).toBe("POST /mcp 200");
      expect(client.revision()).toBe(revision);
      expect(decodeJwt(client.tokens()?.access_token ?? "")).toMatchObject({
        iss: provider.issuer,
        aud: `${origin}/mcp`,
        sub: "person-ada",
        client_id: metadataURL,
        scope: "notes:read",
      });
    });

    test("authorizes a client that registers itself", async () => {
      const client = newClient(era, false);
      expect(await client.call("list-notes")).toContain("text");
      expect(client.requests).toContain("POST /reg 201");
      expect(decodeJwt(client.tokens()?.access_token ?? "")["client_id"]).toBe(client.clientID());
    });

    test("lets the client ask for the scope that a tool needs, and runs it then", async () => {
      const client = newClient(era);
      await client.call("list-notes");
      const before = client.requests.length;
      expect(await client.call("add-note", { note: "milk" })).toContain("added");
      expect(client.requests.slice(before)).toContain("POST /mcp 403");
      const scope = client.tokens()?.scope?.split(" ") ?? [];
      expect(scope).toEqual(expect.arrayContaining(["notes:read", "notes:write"]));
      expect(await client.call("list-notes")).toContain("milk");
    });

    test("has the client refresh a token that has expired, without the person", async () => {
      const client = newClient(era);
      lifetimes.accessToken = 5;
      await client.call("list-notes");
      const before = { token: client.tokens()?.access_token, count: client.requests.length };
      offsetMs = 60_000;
      lifetimes.accessToken = 3600;
      expect(await client.call("list-notes")).toContain("text");
      const later = client.requests.slice(before.count);
      expect(later).toContain("POST /mcp 401");
      expect(later).toContain("POST /token 200");
      expect(client.tokens()?.access_token).not.toBe(before.token);
    });
  },
);

describe("the example of an MCP server", () => {
  test("keeps its pages for browsers, whose sessions open no tool", async () => {
    const page = await fetch(origin, { redirect: "manual", headers: { accept: "text/html" } });
    expect(page.status).toBe(302);
    const session = { user: { sub: "person-ada", name: "Ada" } };
    const headers = { cookie: await signedInCookies({ options, session }) };
    const call = await fetch(`${origin}/mcp`, { method: "POST", redirect: "manual", headers });
    expect(call.status).toBe(401);
  });

  test("has Latchkey's caller in `req.auth` of a page, and the SDK's in that of a tool [AP-043]", async () => {
    const client = newClient("modern");
    expect(await client.call("list-notes")).toContain("text");
    const authorization = `Bearer ${client.tokens()?.access_token}`;
    const session = { user: { sub: "person-ada", name: "Ada" } };
    const headers = { cookie: await signedInCookies({ options, session }) };
    expect(await (await fetch(origin, { headers })).text()).toBe("Hello Ada");
    const stranger = await fetch(origin, { headers: { authorization }, redirect: "manual" });
    expect(stranger.status).toBe(302);
  });

  test("answers the preflight of a script, and lets it read the response of a tool [AP-036]", async () => {
    const client = newClient("modern");
    await client.call("list-notes");
    const headers = { origin, "access-control-request-method": "POST" };
    const preflight = await fetch(`${origin}/mcp`, { method: "OPTIONS", headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
      204,
      origin,
    ]);
    const authorization = `Bearer ${client.tokens()?.access_token}`;
    const call = await fetch(`${origin}/mcp`, {
      method: "POST",
      headers: { origin, authorization, "content-type": "application/json" },
      body: "{}",
    });
    expect(call.status).not.toBe(500);
    expect(call.headers.get("access-control-allow-origin")).toBe(origin);
  });
});
