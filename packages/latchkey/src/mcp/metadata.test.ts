import { describe, expect, test } from "vitest";

import { createMcpApp, notes } from "../../test/api/mcp-app.ts";

const address = "/.well-known/oauth-protected-resource/mcp";

describe("the metadata of an MCP server [AP-038]", () => {
  test("are public at the inserted path, and name the server, the provider and the scopes", async () => {
    const app = await createMcpApp();
    const { status, headers, body, reached } = await app.call({ path: address });
    expect([status, reached]).toEqual([200, false]);
    expect(body).toEqual({
      resource: notes,
      authorization_servers: ["https://op.example"],
      scopes_supported: ["notes:read"],
      bearer_methods_supported: ["header"],
    });
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    expect(headers.get("set-cookie")).toBeNull();
  });

  test("have no empty members, and what the server says of itself", async () => {
    const documentation = "https://docs.example/notes";
    const servers = [{ path: "/mcp/", name: "Notes", documentation, scopesSupported: ["a", "b"] }];
    const app = await createMcpApp({ servers, issuers: [{ issuer: "https://other.example" }] });
    expect((await app.call({ path: address })).body).toEqual({
      resource: notes,
      authorization_servers: ["https://op.example", "https://other.example"],
      scopes_supported: ["a", "b"],
      bearer_methods_supported: ["header"],
      resource_name: "Notes",
      resource_documentation: documentation,
    });
    const silent = await createMcpApp({ servers: [{ path: "/mcp" }] });
    expect((await silent.call({ path: address })).body).not.toHaveProperty("scopes_supported");
  });

  test("name another resource if it is set, at the same address [AP-039]", async () => {
    const resource = "https://app.example/mcp/";
    const app = await createMcpApp({ servers: [{ path: "/mcp", resource, audience: "guid" }] });
    expect((await app.call({ path: address })).body).toMatchObject({ resource });
    const [good, other] = [await app.token({ aud: "guid" }), await app.token({ aud: resource })];
    expect((await app.call({ path: "/mcp", token: good })).status).toBe(200);
    expect((await app.call({ path: "/mcp", token: other })).status).toBe(401);
  });

  test.each(["https://mcp.example.com", "https://mcp.example.com/"])(
    "of the origin %s alone take tokens for it with a slash and without one",
    async (resource) => {
      const app = await createMcpApp({ servers: [{ path: "/mcp", resource }] });
      expect((await app.call({ path: address })).body).toMatchObject({ resource });
      const statusFor = async (aud: unknown) =>
        (await app.call({ path: "/mcp", token: await app.token({ aud }) })).status;
      expect(await statusFor("https://mcp.example.com")).toBe(200);
      expect(await statusFor("https://mcp.example.com/")).toBe(200);
      expect(await statusFor("https://mcp.example.com//")).toBe(401);
      expect(await statusFor("https://mcp.example.com/mcp")).toBe(401);
      expect(await statusFor("http://mcp.example.com")).toBe(401);
    },
  );

  test("of a path take tokens for this spelling alone", async () => {
    const resource = "https://mcp.example.com/mcp";
    const app = await createMcpApp({ servers: [{ path: "/mcp", resource }] });
    const token = await app.token({ aud: `${resource}/` });
    expect((await app.call({ path: "/mcp", token })).status).toBe(401);
  });

  test("lie before the path of the app, if it has one", async () => {
    const app = await createMcpApp({}, { baseURL: "https://app.example/shop" });
    const path = "/.well-known/oauth-protected-resource/shop/mcp";
    const response = await app.auth.respond(
      new Request(`https://app.example${path}`),
      () => new Response("app"),
    );
    expect(await response.json()).toMatchObject({ resource: "https://app.example/shop/mcp" });
    const { headers } = await app.call({ path: "/MCP" });
    expect(headers.get("www-authenticate")).toContain(`"https://app.example${path}"`);
  });

  test("never name a host that the client has sent", async () => {
    const app = await createMcpApp();
    const request = new Request(`https://evil.example${address}`, {
      headers: { host: "evil.example", "x-forwarded-host": "evil.example" },
    });
    const response = await app.auth.respond(request, () => new Response("app"));
    expect(await response.json()).toMatchObject({ resource: notes });
  });

  test("respond to HEAD without a body", async () => {
    const app = await createMcpApp();
    const request = new Request(`https://app.example${address}`, { method: "HEAD" });
    const response = await app.auth.respond(request, () => new Response("app"));
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("content-type")).toContain("application/json");
  });

  test("may be read by scripts of any origin that name the revision of MCP", async () => {
    const app = await createMcpApp();
    const { status, headers } = await app.call({
      path: address,
      method: "OPTIONS",
      headers: {
        origin: "https://inspector.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "mcp-protocol-version",
      },
    });
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-headers")).toContain("MCP-Protocol-Version");
    expect(headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
  });

  test.each(["POST", "PUT", "DELETE"])("refuse %s", async (method) => {
    const app = await createMcpApp();
    const { status, headers } = await app.call({ path: address, method });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test.each([
    [`${address}/`, 200],
    [`${address}?x=1`, 200],
    [`${address}/x`, 401],
    [`${address}x`, 401],
    ["/.well-known/oauth-protected-resource", 401],
    ["/.well-known/oauth-authorization-server", 401],
    ["/.well-known/openid-configuration", 401],
  ])(
    "are at no other address: %s is answered with %i, and never leads to login",
    async (path, status) => {
      const app = await createMcpApp();
      for (const accept of ["text/html", "application/json"]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const response = await app.call({
          path,
          headers: { accept, "sec-fetch-mode": "navigate" },
        });
        expect(response.status).toBe(status);
      }
    },
  );

  test("are absent without an MCP server", async () => {
    const app = await createMcpApp({}, { api: undefined });
    const headers = { accept: "text/html", "sec-fetch-mode": "navigate" };
    expect((await app.call({ path: address, headers })).status).toBe(302);
  });
});
