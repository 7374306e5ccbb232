import { describe, expect, test } from "vitest";

import { admittedBy, requestTo } from "../../test/api/admitted.ts";
import { type ApiApp, audience, createApiApp } from "../../test/api/api-app.ts";
import { createMcpApp, notes } from "../../test/api/mcp-app.ts";
import { boundToClient, proofFor } from "../../test/api/proof.ts";
import type { AdmittedRequest } from "../host/admitted-request.ts";

describe("a request of the app to itself", () => {
  const withToken = (token: string) => ({ authorization: `Bearer ${token}` });

  /** The status of the response, or who is admitted. */
  async function outcomeOf(
    app: ApiApp,
    headers: Readonly<Record<string, string>>,
    outer: AdmittedRequest,
    path = "/api/other",
  ): Promise<unknown> {
    const received = await app.auth.host.receive({}, requestTo(path, headers), outer);
    return "admitted" in received ? received.admitted.auth.user?.sub : received.response.status;
  }

  test("with the header of the outer one counts without another proof", async () => {
    const app = await createApiApp();
    const token = await app.token(await boundToClient());
    const headers = { authorization: `DPoP ${token}`, dpop: await proofFor(token) };
    const outer = await admittedBy(app, requestTo("/api/data", headers));
    const inner = await admittedBy(app, requestTo("/api/other", headers), outer);
    expect(inner.auth.claims?.sub).toBe("ada");
    expect(inner.auth.claims).toBe(outer.auth.claims);
    expect(inner.commit()).toEqual(outer.commit());
    await expect(admittedBy(app, requestTo("/api/other", headers))).rejects.toThrow("401");
  });

  test("with another token counts by that one alone", async () => {
    const app = await createApiApp();
    const outer = await admittedBy(app, requestTo("/api/data", withToken(await app.token())));
    expect(await outcomeOf(app, withToken(await app.token({ sub: "ben" })), outer)).toBe("ben");
    expect(await outcomeOf(app, withToken("bad"), outer)).toBe(401);
    expect(await outcomeOf(app, {}, outer)).toBe(401);
  });

  test("with a token below a request with a session counts by the token", async () => {
    const app = await createApiApp();
    const outer = await admittedBy(app, requestTo("/page", { cookie: await app.cookie() }));
    expect(await outcomeOf(app, withToken(await app.token()), outer)).toBe("ada");
    expect(await outcomeOf(app, withToken("bad"), outer)).toBe(401);
  });

  test("with the bad token of an outer request to a public page gets 401 at the API", async () => {
    const app = await createApiApp();
    const outer = await admittedBy(app, requestTo("/public/page", withToken("bad")));
    expect(await outcomeOf(app, withToken("bad"), outer)).toBe(401);
  });

  test("with the token of the outer one gets 401 at an API with another audience", async () => {
    const app = await createMcpApp({ servers: [{ path: "/mcp" }], api: { audience } });
    const forServer = withToken(await app.token({ aud: notes }));
    const outer = await admittedBy(app, requestTo("/mcp", forServer));
    expect(await outcomeOf(app, forServer, outer, "/mcp")).toBe("ada");
    expect(await outcomeOf(app, forServer, outer, "/api/x")).toBe(401);
  });

  test("without a token has no session by the cookie of the outer one, and changes none", async () => {
    const app = await createApiApp();
    const cookie = await app.cookie();
    const authorization = `Bearer ${await app.token()}`;
    const outer = await admittedBy(app, requestTo("/api/data", { authorization, cookie }));
    const inner = await admittedBy(app, requestTo("/public/page", { cookie }), outer);
    expect([inner.auth.user, await inner.carriesSession()]).toEqual([null, false]);
    expect(await inner.auth.touch()).toBeNull();
    expect(JSON.stringify(inner.commit())).not.toContain("Set-Cookie");
  });

  test("with a malformed target gets a response that depends on no session", async () => {
    const app = await createApiApp();
    const outer = await admittedBy(app, requestTo("/api/data", withToken(await app.token())));
    const received = await app.auth.host.receive({}, requestTo("no target"), outer);
    if (!("response" in received)) throw new Error("it was admitted");
    const { status, headers } = received.response;
    expect([status, headers]).toEqual([
      400,
      expect.arrayContaining([["Cache-Control", "no-store"]]),
    ]);
  });

  test("without a token is led to login at a guarded page", async () => {
    const app = await createApiApp();
    const outer = await admittedBy(app, requestTo("/api/data", withToken(await app.token())));
    const inner = requestTo("/page", { accept: "text/html" });
    expect(await app.auth.host.receive({}, inner, outer)).toMatchObject({
      response: { status: 302 },
    });
  });
});
