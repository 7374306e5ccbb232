import { describe, expect, test } from "vitest";

import { audience } from "../../test/api/api-app.ts";
import { createMcpApp, type McpApp, notes } from "../../test/api/mcp-app.ts";
import { mcpAuthInfo } from "./index.ts";

/** Sends a request past the guard, as a route handler of Next gets it without a proxy. */
async function unguarded(app: McpApp, given: Readonly<Record<string, string>>, target = "/mcp") {
  const { auth, recover, commit } = await app.auth.host.receiveUnguarded((origin) => ({
    method: "POST",
    url: origin,
    target,
    headers: new Headers(given),
    body: async () => null,
  }));
  const outcome = (): unknown => {
    try {
      return mcpAuthInfo(auth);
    } catch (error) {
      return error;
    }
  };
  return { auth, outcome, response: async () => recover(outcome()), recover, commit };
}

describe("a request that the app guards itself", () => {
  test.each([
    ["without a token", false, null],
    ["with one", true, "ada"],
  ])("%s does not count by its cookie", async (_name, hasToken, sub) => {
    const app = await createMcpApp();
    const authorization = hasToken ? { authorization: `Bearer ${await app.mcpToken()}` } : {};
    const { auth } = await unguarded(app, { cookie: await app.cookie(), ...authorization });
    expect(auth.user?.sub ?? null).toBe(sub);
    expect(auth.session === null).toBe(sub === null);
  });

  test("is described for the SDK if all scopes of the server are there [AP-044]", async () => {
    const app = await createMcpApp();
    const authorization = `Bearer ${await app.mcpToken()}`;
    const { outcome } = await unguarded(app, { authorization });
    expect(outcome()).toMatchObject({ clientId: "robot", scopes: ["notes:read"] });
  });

  test("without a token or a scope of the server is refused as by the guard [AP-044]", async () => {
    const app = await createMcpApp();
    const authorization = `Bearer ${await app.mcpToken({ scope: "other" })}`;
    const none = await (await unguarded(app, {})).response();
    expect([none?.status, Object.fromEntries(none?.headers ?? [])]).toEqual([
      401,
      expect.objectContaining({
        "WWW-Authenticate": expect.stringContaining("resource_metadata="),
      }),
    ]);
    const weak = await (await unguarded(app, { authorization })).response();
    expect([weak?.status, Object.fromEntries(weak?.headers ?? [])]).toEqual([
      403,
      expect.objectContaining({
        "WWW-Authenticate": expect.stringContaining('error="insufficient_scope"'),
      }),
    ]);
  });

  test("at an ambiguous path does not count, and gets 400 if the app requires a caller", async () => {
    const app = await createMcpApp({ api: { audience } });
    const headers = { cookie: await app.cookie() };
    const { auth, recover } = await unguarded(app, headers, "/mcp/..%2fapi");
    const refusal = await (async () => auth.require())().catch(recover);
    expect([auth.user, refusal]).toEqual([null, expect.objectContaining({ status: 400 })]);
    expect(recover(new Error("of the app"))).toBeNull();
  });

  test("for another path counts by the token for the API beside, and without an API by its cookie", async () => {
    const subject = async (app: McpApp) => {
      const authorization = `Bearer ${await app.token()}`;
      const headers = { authorization, cookie: await app.cookie() };
      return (await unguarded(app, headers, "/api/x")).auth.user?.sub;
    };
    expect(await subject(await createMcpApp({ api: { audience } }))).toBe("ada");
    expect(await subject(await createMcpApp())).toBe("cookie-user");
  });

  test("of another origin does not count, and its script reads no response [AP-045]", async () => {
    const app = await createMcpApp();
    const authorization = `Bearer ${await app.mcpToken()}`;
    const from = async (origin: string) => unguarded(app, { authorization, origin });
    const { auth, response, commit } = await from("https://evil.example");
    expect([auth.user, (await response())?.status]).toEqual([null, 403]);
    expect(JSON.stringify(commit())).not.toContain("evil.example");
    expect((await from("https://app.example")).auth.user?.sub).toBe("ada");
  });
});

describe("mcpAuthInfo [AP-042]", () => {
  test("describes the caller for the official SDK, without the token", async () => {
    const app = await createMcpApp();
    const token = await app.mcpToken({ exp: 1_800_000_300 });
    const { made } = await app.call({ path: "/mcp", token }, (its) => mcpAuthInfo(its));
    expect(made).toMatchObject({
      token: "",
      clientId: "robot",
      scopes: ["notes:read"],
      expiresAt: 1_800_000_300,
      resource: new URL(notes),
      resourceMetadataUrl: "https://app.example/.well-known/oauth-protected-resource/mcp",
      extra: { issuer: "https://op.example", sub: "ada", claims: { aud: notes } },
    });
    expect(JSON.stringify(made)).not.toContain(token);
  });

  test("names no client if the token names none, at a server that needs no scope", async () => {
    const app = await createMcpApp({ servers: [{ path: "/mcp" }], profile: "keycloak" });
    const claims = { aud: notes, typ: "Bearer", client_id: undefined, scope: undefined };
    const token = await app.token(claims, { typ: "JWT" });
    const { made } = await app.call({ path: "/mcp", token }, (its) => mcpAuthInfo(its));
    expect(made).toMatchObject({ clientId: "", scopes: [] });
  });

  test.each([
    ["with a session", async (app: McpApp) => ({ cookie: await app.cookie() })],
    [
      "of the API beside it",
      async (app: McpApp) => ({
        authorization: `Bearer ${await app.token()}`,
      }),
    ],
  ])("refuses a request %s", async (_name, headersOf) => {
    const app = await createMcpApp({ api: { audience } });
    const headers = await headersOf(app);
    const { made } = await app.call({ path: "/api/x", headers }, (its) => {
      try {
        return mcpAuthInfo(its);
      } catch (error) {
        return String(error);
      }
    });
    expect(made).toContain("TypeError: mcpAuthInfo() takes");
  });
});
