import { describe, expect, test } from "vitest";

import { audience } from "../../test/api/api-app.ts";
import { createMcpApp, notes } from "../../test/api/mcp-app.ts";
import type { McpServer } from "./settings.ts";

const challenge =
  'Bearer realm="https://app.example", scope="notes:read", resource_metadata="https://app.example/.well-known/oauth-protected-resource/mcp"';
/** Behind `Bearer`, since the official client reads the first challenge only. */
const proofs = ', DPoP algs="ES256 ES384 EdDSA PS256 RS256"';

/** How a browser opens a page. */
const asPage = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

describe("an MCP server without a token [AP-040]", () => {
  test.each(["GET", "POST", "DELETE", "PUT"])(
    "answers %s with 401 and the way to its metadata, and names no error",
    async (method) => {
      const app = await createMcpApp();
      const { status, headers, body, reached } = await app.call({
        path: "/mcp",
        method,
        headers: asPage,
      });
      expect([status, reached]).toEqual([401, false]);
      expect(headers.get("www-authenticate")).toBe(challenge + proofs);
      expect(headers.get("location")).toBeNull();
      expect(headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
      expect(headers.get("cache-control")).toContain("no-store");
      expect(body).toMatchObject({ error: "not_authenticated" });
    },
  );

  test.each([
    "/mcp/",
    "/mcp/sse",
    "/mcp?x=1",
    "/MCP",
    "//mcp",
    "/./mcp",
    "/%6dcp",
    "/mcp;v=1",
    "/mcp/..;/mcp",
  ])("does so at %s, however a server behind it may read the path [AP-044]", async (path) => {
    const app = await createMcpApp({}, { publicPaths: ["/mcp", "/mcp/", "/"] });
    const { status, reached } = await app.call({ path, headers: asPage });
    expect(reached).toBe(false);
    expect([400, 401]).toContain(status);
  });

  /** Too many interpretations to know them all, and `new URL()` makes `/mcp` of it. */
  const endless = `/${"a".repeat(14_000)};x%2f/b%2e;y/%2e%2e/.//../../../mcp`;

  test.each([["/mcp%00"], ["/page%0a"], [endless], ["/page", endless], ["/page", "no target"]])(
    "refuses a path from which nothing may be concluded: the %#th [AP-044]",
    async (target, ...otherTargets) => {
      const app = await createMcpApp({ api: { audience } });
      const authorization = `Bearer ${await app.token()}`;
      for (const headers of [{ cookie: await app.cookie() }, { authorization }]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const received = await app.auth.host.receive({}, (origin) => ({
          method: "GET",
          url: origin,
          target,
          otherTargets,
          headers: new Headers(headers),
          body: async () => null,
        }));
        expect(received).toMatchObject({ response: { status: 400 } });
      }
    },
  );

  test.each(["/mcpx", "/x/mcp", "/mc"])("leaves %s to the app", async (path) => {
    const app = await createMcpApp({}, { publicPaths: [path] });
    expect(await app.call({ path })).toMatchObject({ status: 200, reached: true });
  });

  test("names no scope if it needs none", async () => {
    const app = await createMcpApp({ servers: [{ path: "/mcp" }], dpop: false });
    const { headers } = await app.call({ path: "/mcp" });
    expect(headers.get("www-authenticate")).toBe(challenge.replace(' scope="notes:read",', ""));
  });

  test("does not count the cookie of a signed-in user [AP-045]", async () => {
    const app = await createMcpApp();
    const cookie = await app.cookie();
    const { status, headers, reached } = await app.call({ path: "/mcp", headers: { cookie } });
    expect([status, reached]).toEqual([401, false]);
    expect(headers.get("set-cookie")).toBeNull();
    expect(await app.call({ path: "/api/x", headers: { cookie } })).toMatchObject({ status: 200 });
  });

  test.each(["Basic dTpw", "Token x"])("does not count `%s`", async (authorization) => {
    const app = await createMcpApp();
    const { status } = await app.call({ path: "/mcp", headers: { authorization } });
    expect(status).toBe(401);
  });
});

describe("an MCP server with a token", () => {
  test("admits its caller, with whom the handler can work", async () => {
    const app = await createMcpApp();
    const token = await app.mcpToken({ scope: "notes:read notes:write" });
    const { status, made, headers } = await app.call(
      { path: "/mcp", method: "POST", token },
      (its) => [its.require().user.sub, its.scopes],
    );
    expect([status, made]).toEqual([200, ["ada", ["notes:read", "notes:write"]]]);
    expect(headers.get("set-cookie")).toBeNull();
  });

  test.each([
    ["of another audience", { aud: "https://other.example" }],
    ["of the app itself, not of the server", { aud: "https://app.example" }],
    ["that has expired", { exp: 1 }],
  ])(
    "refuses one %s with 401, `invalid_token` and the way to its metadata",
    async (_name, claims) => {
      const app = await createMcpApp();
      const { status, headers, reached } = await app.call({
        path: "/mcp",
        token: await app.mcpToken(claims),
        headers: asPage,
      });
      expect([status, reached]).toEqual([401, false]);
      const sent = headers.get("www-authenticate") ?? "";
      expect(sent).toMatch(/^Bearer /);
      expect(sent).toContain('error="invalid_token"');
      expect(sent).toContain(
        'resource_metadata="https://app.example/.well-known/oauth-protected-resource/mcp"',
      );
      expect(sent).toContain('scope="notes:read"');
    },
  );

  test("never falls back to the cookie", async () => {
    const app = await createMcpApp();
    const token = await app.mcpToken({ aud: "https://other.example" });
    const headers = { cookie: await app.cookie() };
    expect((await app.call({ path: "/mcp", token, headers })).status).toBe(401);
  });

  test("refuses one in the query with 400", async () => {
    const app = await createMcpApp();
    const path = `/mcp?access_token=${await app.mcpToken()}`;
    const { status, body } = await app.call({ path, token: await app.mcpToken() });
    expect([status, body]).toEqual([400, expect.objectContaining({ error: "invalid_request" })]);
  });

  test("answers a missing scope with 403 and all scopes that are needed", async () => {
    const servers = [{ path: "/mcp", scopes: ["notes:read", "notes:list"] }];
    const app = await createMcpApp({ servers });
    const { status, headers, reached } = await app.call({
      path: "/mcp",
      token: await app.mcpToken({ scope: "notes:read" }),
    });
    expect([status, reached]).toEqual([403, false]);
    const sent = headers.get("www-authenticate") ?? "";
    expect(sent).toContain('error="insufficient_scope"');
    expect(sent).toContain('scope="notes:read notes:list"');
    expect(sent).toContain("resource_metadata=");
    const { headers: ofNone } = await app.call({ path: "/mcp" });
    expect(ofNone.get("www-authenticate")).toContain('scope="notes:read notes:list"');
  });

  test("answers a scope that a tool needs with 403, before it runs [AP-046]", async () => {
    const app = await createMcpApp();
    const call = async (scope: string) =>
      app.call({ path: "/mcp", token: await app.mcpToken({ scope }) }, (its) => {
        its.require({ scope: "notes:write" });
        return "ran";
      });
    const refused = await call("notes:read");
    expect([refused.status, refused.made]).toEqual([403, undefined]);
    const sent = refused.headers.get("www-authenticate");
    expect(sent).toContain('scope="notes:read notes:write"');
    expect(sent).toContain("resource_metadata=");
    expect((await call("notes:read notes:write")).made).toBe("ran");
  });

  test("counts the access rules of the path too", async () => {
    const app = await createMcpApp({}, { accessRules: { "/mcp": { claim: { tier: "gold" } } } });
    const call = async (claims: object) =>
      (await app.call({ path: "/mcp", token: await app.mcpToken({ ...claims }) })).status;
    expect([await call({}), await call({ tier: "gold" })]).toEqual([403, 200]);
  });
});

describe("several MCP servers in one app [AP-041]", () => {
  const servers: readonly McpServer[] = [
    { path: "/mcp/notes", scopes: ["notes:read"] },
    { path: "/mcp/mail", scopes: ["mail:read"] },
    { path: "/mcp/mail/admin" },
  ];
  const addressOf = (path: string) => `https://app.example${path}`;

  test("have metadata of their own", async () => {
    const app = await createMcpApp({ servers });
    for (const { path, scopes } of servers) {
      const document = `/.well-known/oauth-protected-resource${path}`;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { body } = await app.call({ path: document });
      const scopesOf = scopes === undefined ? {} : { scopes_supported: scopes };
      expect(body).toMatchObject({ resource: addressOf(path), ...scopesOf });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { headers } = await app.call({ path });
      expect(headers.get("www-authenticate")).toContain(`"https://app.example${document}"`);
    }
  });

  test("refuse the tokens of each other", async () => {
    const app = await createMcpApp({ servers });
    const scope = "notes:read mail:read";
    for (const { path } of servers) {
      for (const other of servers) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const token = await app.token({ aud: addressOf(other.path), scope });
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { status } = await app.call({ path: `${path}/x`, token });
        expect([path, other.path, status]).toEqual([
          path,
          other.path,
          path === other.path ? 200 : 401,
        ]);
      }
    }
  });

  test("refuse a path that servers read as different ones", async () => {
    const app = await createMcpApp({ servers });
    const token = await app.token({ aud: addressOf("/mcp/notes"), scope: "notes:read" });
    const { status, reached, body } = await app.call({ path: "/mcp/notes/..%2fmail", token });
    expect([status, reached]).toEqual([400, false]);
    expect(body).toEqual({ error: "invalid_request", description: "The path is ambiguous." });
  });

  test("refuse a token for which an issuer of the list names another audience", async () => {
    const listed = {
      issuer: "https://op.example",
      audience: "shared",
      profile: "keycloak",
    } as const;
    const app = await createMcpApp({ servers, issuers: [listed] });
    const statusFor = async (aud: string) => {
      const claims = { aud, scope: "notes:read", typ: "Bearer" };
      const token = await app.token(claims, { typ: "JWT" });
      return (await app.call({ path: "/mcp/notes", token })).status;
    };
    expect([await statusFor("shared"), await statusFor(addressOf("/mcp/notes"))]).toEqual([
      401, 200,
    ]);
  });
});

describe("a request of the app to itself", () => {
  const servers = [{ path: "/mcp" }, { path: "/mail" }];
  const given = { servers, api: { audience } };

  test.each([
    ["an MCP server", "/mcp", "/mcp", true],
    ["another MCP server", "/mcp", "/mail", false],
    ["the API", "/mcp", "/api/x", false],
    ["an MCP server, from the API", "/api/x", "/mcp", false],
    ["the API, from the API", "/api/x", "/api/y", true],
  ])("for %s counts the token of the outer request only there", async (_name, from, to, counts) => {
    const app = await createMcpApp(given);
    const token = await app.token({ aud: from === "/mcp" ? notes : audience });
    const headers = new Headers({ authorization: `Bearer ${token}` });
    const requestTo = (target: string) => () => ({
      method: "POST",
      url: `https://app.example${target}`,
      target,
      headers,
      body: async () => null,
    });
    const { receive } = app.auth.host;
    const outer = await receive({}, requestTo(from));
    if (!("admitted" in outer)) throw new Error("the outer request was refused");
    const inner = await receive({}, requestTo(to), outer.admitted);
    expect("admitted" in inner).toBe(counts);
  });
});

describe("the other paths of an app with MCP servers", () => {
  test("count the cookie alone, and an Authorization header means nothing there", async () => {
    const app = await createMcpApp();
    const cookie = await app.cookie();
    const token = await app.mcpToken();
    expect((await app.call({ path: "/api/x", headers: { cookie }, token })).made).toBe(
      "cookie-user",
    );
    expect((await app.call({ path: "/api/x", token })).status).toBe(401);
    expect((await app.call({ path: "/page", headers: asPage, token })).status).toBe(302);
  });

  test("count tokens for an API beside the servers, not those for a server", async () => {
    const app = await createMcpApp({ api: { audience, paths: ["/v1///"] } });
    const statusOf = async (path: string, token: string) =>
      (await app.call({ path, token })).status;
    const [forAPI, forServer] = [await app.token({ scope: "notes:read" }), await app.mcpToken()];
    expect([await statusOf("/api/x", forAPI), await statusOf("/api/x", forServer)]).toEqual([
      200, 401,
    ]);
    expect([await statusOf("/mcp", forAPI), await statusOf("/mcp", forServer)]).toEqual([401, 200]);
    for (const path of ["/api/x", "/v1/x"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const response = await app.call({ path, headers: asPage });
      expect(response.challenge).toMatch(/^Bearer realm="https:\/\/app.example", DPoP/);
    }
  });
});
