import { describe, expect, test } from "vitest";

import { createMcpApp } from "../../test/api/mcp-app.ts";
import { mcp } from "./index.ts";

describe("wrong options stop the start", () => {
  const good = { path: "/mcp" };
  test.each([
    ["nothing", undefined, "mcp: must be an object of options. Change"],
    ["null", null, "attention.\n  mcp: must be an object of options (seen: null)"],
    ["no server", { servers: [] }, "Name at least one MCP server"],
    ["two servers at one path", { servers: [good, { path: "/mcp/" }] }, "a path of its own"],
    ["no path", { servers: [{}] }, "attention.\n  mcp.servers[0].path: is required"],
    ["a relative path", { servers: [{ path: "a/mcp" }] }, "mcp.servers[0].path: must be a path"],
    ["a path with a query", { servers: [{ path: "/mcp?a" }] }, "mcp.servers[0].path: must be"],
    ["a path in a list", { servers: [{ path: ["/mcp"] }] }, "mcp.servers[0].path: must be a path"],
    ["the whole app", { servers: [{ path: "/" }] }, "mcp.servers[0].path: must be a path"],
    ["a path with a dot segment", { servers: [{ path: "/a/../b" }] }, "must be a path"],
    ["a path that ends in dots", { servers: [{ path: "/a/.." }] }, "must be a path"],
    ["null as a server", { servers: [null] }, "mcp.servers[0]: must be an object"],
    ["scopes as text", { servers: [{ ...good, scopes: "a" }] }, "[0].scopes: must be a list"],
    ["a number as a scope", { servers: [{ ...good, scopes: [5] }] }, "scopes: must be a list"],
    ["two scopes in one", { servers: [{ ...good, scopes: ["a b"] }] }, "scopes: must be a list"],
    ["offline_access", { servers: [{ ...good, scopes: ["offline_access"] }] }, "without offline_"],
    ["an empty scope", { servers: [{ ...good, scopesSupported: [""] }] }, "[0].scopesSupported"],
    [
      "a fragment",
      { servers: [{ ...good, resource: "https://a.example/#b" }] },
      "without a fragment",
    ],
    ["a resource that is no address", { servers: [{ ...good, resource: "a:b" }] }, "[0].resource"],
    ["no audience", { servers: [{ ...good, audience: [] }] }, "[0].audience: must be"],
    [
      "a number as an audience",
      { servers: [{ ...good, audience: ["a", 5] }] },
      "audience: must be",
    ],
    ["an empty audience", { servers: [{ ...good, audience: "" }] }, "[0].audience: must be"],
    ["a name that is no text", { servers: [{ ...good, name: 5 }] }, "[0].name: must be text"],
    ["a page that is no address", { servers: [{ ...good, documentation: "x" }] }, "be an address"],
    ["a page in a list", { servers: [{ ...good, documentation: ["https://a.b"] }] }, "documentat"],
    [
      "an origin with a path",
      { servers: [{ ...good, origins: ["https://a.example/"] }] },
      "[0].origins: must be a list of origins",
    ],
    ["a misspelt scope", { servers: [{ ...good, scope: ["a"] }] }, "Did you mean scopes?"],
    ["audience for all", { servers: [good], audience: "a" }, "mcp.audience: is not an option"],
    ["origins for all", { servers: [good], origins: [] }, "mcp.origins: is not an option"],
    ["a wrong part of DPoP", { servers: [good], dpop: { on: 1 } }, "mcp.dpop.on: is not an option"],
    ["a plain issuer", { servers: [good], issuers: [{ issuer: "http://a.b" }] }, "mcp.issuers[0]"],
    ["an unknown profile", { servers: [good], profile: "x" }, "mcp.profile: must be one of"],
    ["a wrong profile, said by", { servers: [good], profile: "x" }, "where mcp() is called."],
    ["sessions", { servers: [good], sessions: false }, "mcp.sessions: is not an option"],
    ["an API without audience", { servers: [good], api: {} }, "mcp.api.audience: is required"],
  ])("%s", async (_name, options, message) => {
    const app = await createMcpApp({}, { api: mcp(options as Parameters<typeof mcp>[0]) });
    await expect(app.auth.ready()).rejects.toThrow(message);
  });

  test.each([
    { servers: [good] },
    {
      servers: [{ ...good, scopes: [], resource: "http://localhost:1/mcp", audience: ["a", "b"] }],
    },
    { servers: [{ path: "/a/b-c_d.e~f" }], api: { audience: "a" }, profile: "keycloak" as const },
  ])("others do not: %j", async (options) => {
    const app = await createMcpApp({}, { api: mcp(options) });
    await expect(app.auth.ready()).resolves.toBeUndefined();
  });
});
