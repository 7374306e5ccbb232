import { describe, expect, test } from "vitest";

import { createMcpApp } from "../../test/api/mcp-app.ts";

describe("the origin of a script [AP-045]", () => {
  const servers = [
    { path: "/mcp", scopes: ["notes:read"], origins: ["https://inspector.example"] },
  ];

  test.each([
    ["none", undefined, 200],
    ["the app's own", "https://app.example", 200],
    ["one of the list", "https://inspector.example", 200],
    ["another one", "https://evil.example", 403],
    ["the same host over http", "http://app.example", 403],
    ["one that begins alike", "https://app.example.evil.example", 403],
    ["an opaque one", "null", 403],
    ["an empty one", "", 403],
  ])("%s is judged", async (_name, origin, status) => {
    const app = await createMcpApp({ servers });
    const headers: Record<string, string> = origin === undefined ? {} : { origin };
    const response = await app.call({ path: "/mcp", token: await app.mcpToken(), headers });
    expect([response.status, response.reached]).toEqual([status, status === 200]);
  });

  const origin = "https://inspector.example";
  const preflight = { origin, "access-control-request-method": "POST" };

  test.each(["/mcp", "/MCP/", "/mcp/sse"])(
    "may call: a preflight for %s is answered, and does not reach the app [AP-036]",
    async (path) => {
      const app = await createMcpApp({ servers });
      const asked = "authorization, content-type, mcp-protocol-version";
      const headers = { ...preflight, "access-control-request-headers": asked };
      const response = await app.call({ path, method: "OPTIONS", headers });
      expect([response.status, response.reached]).toEqual([204, false]);
      expect(Object.fromEntries(response.headers)).toEqual({
        "access-control-allow-headers": asked,
        "access-control-allow-methods": "POST, GET, DELETE",
        "access-control-allow-origin": origin,
        "access-control-expose-headers": expect.any(String),
        "access-control-max-age": "86400",
        "cache-control": "no-store",
        vary: "Origin",
      });
      const plain = await app.call({ path, method: "OPTIONS", headers: preflight });
      const names = [...response.headers.keys()].filter((each) => !each.endsWith("allow-headers"));
      expect([plain.status, [...plain.headers.keys()]]).toEqual([204, names]);
    },
  );

  test("may not call if it is another one: its preflight is refused", async () => {
    const app = await createMcpApp({ servers });
    const headers = { ...preflight, origin: "https://evil.example" };
    const response = await app.call({ path: "/mcp", method: "OPTIONS", headers });
    expect([response.status, response.reached]).toEqual([403, false]);
    expect(response.body).toEqual({
      error: "origin_not_allowed",
      description: "Scripts of this origin may not call this MCP server.",
    });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("may read the response of a tool, with the headers that a client needs", async () => {
    const app = await createMcpApp({ servers });
    const token = await app.mcpToken();
    const { headers } = await app.call({ path: "/mcp", token, headers: { origin } });
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect(headers.get("access-control-expose-headers")).toBe(
      "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, DPoP-Nonce, Retry-After",
    );
    expect(headers.get("vary")).toBe("Authorization, Cookie, Origin");
    const without = await app.call({ path: "/mcp", token });
    expect(without.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("a cookie does not count beside the headers of a preflight", async () => {
    const app = await createMcpApp({ servers });
    const headers = { ...preflight, cookie: await app.cookie() };
    const response = await app.call({ path: "/mcp", method: "OPTIONS", headers });
    expect([response.status, response.reached]).toEqual([401, false]);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("OPTIONS that are no preflight need a token", async () => {
    const app = await createMcpApp({ servers });
    const response = await app.call({ path: "/mcp", method: "OPTIONS" });
    expect([response.status, response.reached]).toEqual([401, false]);
  });

  test("may read a refusal if it is allowed", async () => {
    const app = await createMcpApp({ servers });
    const { headers } = await app.call({ path: "/mcp", headers: { origin } });
    expect(headers.get("access-control-allow-origin")).toBe(origin);
  });
});
