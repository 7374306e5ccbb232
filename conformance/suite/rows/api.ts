import { describe, expect, test } from "vitest";

import { startTestIssuer } from "../../../packages/latchkey/test/api/start-issuer.ts";
import { audience } from "../api-example.ts";
import { navigation } from "../expectations.ts";
import { type DrivenHost, worldOfTest } from "./world.ts";

/** Requests with access tokens, beside those of browsers. */
export function apiRows(host: DrivenHost): void {
  describe(`an API on ${host.title}`, () => {
    test("takes access tokens, by the header alone, and answers with challenges [AP-019, AP-032, AP-034]", async () => {
      const issuer = await startTestIssuer();
      const world = await worldOfTest(host, { environment: { API_ISSUER: issuer.issuer } });
      const now = Math.floor(Date.now() / 1000);
      const who = { sub: "robot-user", client_id: "robot", scope: "read", jti: "1" };
      const times = { iat: now, exp: now + 300 };
      const token = await issuer.sign({ iss: issuer.issuer, aud: audience, ...who, ...times });
      const cookie = await (await world.signedIn()).cookies();
      const ask = async (target: string, headers: Readonly<Record<string, string>>) => {
        const response = await world.send({ target, headers });
        expect(response.header("cache-control")).toMatch(/\bno-store$/);
        const challenge = response.header("www-authenticate") ?? "";
        return [response.status, response.setCookies, challenge, response.body] as const;
      };
      const bearer = (text: string) => ({ authorization: `Bearer ${text}`, cookie });

      const me = await ask("/api/me", bearer(token));
      expect(me).toEqual([200, [], "", expect.stringContaining('"sub":"robot-user"')]);
      for (const target of ["/api/me", "/private"]) {
        const refused = await ask(target, { ...bearer("garbage"), ...navigation });
        const challenge = expect.stringMatching(/^Bearer realm="[^"]+", error="invalid_token"/);
        expect(refused.slice(0, 3)).toEqual([401, [], challenge]);
      }
      const lacking = await ask("/api/admin", bearer(token));
      const scope = expect.stringContaining('error="insufficient_scope", scope="admin"');
      expect(lacking.slice(0, 3)).toEqual([403, [], scope]);
      const nobody = await ask("/api/me", navigation);
      expect(nobody.slice(0, 3)).toEqual([
        401,
        [],
        expect.stringMatching(/^Bearer realm="[^"]+", D/),
      ]);
      const basic = await ask("/api/me", { authorization: "Basic YTpi", cookie });
      expect(basic[3]).toContain('"name":"Ada Okafor"');
    });

    test("has an MCP server with public metadata, which counts its tokens alone [AP-038, AP-040]", async () => {
      const issuer = await startTestIssuer();
      const world = await worldOfTest(host, { environment: { API_ISSUER: issuer.issuer } });
      const { origin, pathname } = new URL(world.baseURL);
      const resource = `${world.baseURL}/mcp`;
      const target = `/.well-known/oauth-protected-resource${pathname.replace(/\/$/, "")}/mcp`;
      const cookie = await (await world.signedIn()).cookies();
      const headers = { ...navigation, cookie };

      const document = await world.send({ target, headers });
      expect([document.status, document.setCookies]).toEqual([200, []]);
      expect(JSON.parse(document.body)).toMatchObject({
        resource,
        authorization_servers: [world.provider.issuer, issuer.issuer],
      });
      expect(document.header("access-control-allow-origin")).toBe("*");
      const head = await world.send({ method: "HEAD", target, headers });
      expect([head.status, head.body]).toEqual([200, ""]);
      const preflight = await world.send({ method: "OPTIONS", target });
      expect(preflight.status).toBe(204);
      expect(preflight.header("access-control-allow-headers")).toContain("MCP-Protocol-Version");

      for (const method of ["GET", "POST", "DELETE"]) {
        const refused = await world.send({ method, target: "/mcp", headers });
        expect([method, refused.status, refused.setCookies]).toEqual([method, 401, []]);
        const challenge = refused.header("www-authenticate");
        expect(challenge).toContain(`resource_metadata="${origin}${target}"`);
        expect(challenge).not.toContain("error=");
      }
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer.issuer, sub: "robot-user", client_id: "robot", jti: "1" };
      const times = { iat: now, exp: now + 300 };
      const statusFor = async (aud: string) => {
        const authorization = `Bearer ${await issuer.sign({ ...claims, ...times, aud })}`;
        return (await world.send({ target: "/mcp", headers: { authorization } })).status;
      };
      // The example has no page there.
      expect([await statusFor(resource), await statusFor(audience)]).toEqual([404, 401]);
    });
  });
}
