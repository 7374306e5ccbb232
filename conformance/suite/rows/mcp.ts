import { describe, expect, test } from "vitest";

import { navigation } from "../expectations.ts";
import { type DrivenHost, type WorldSettings, worldOfTest } from "./world.ts";

/** Requests to the MCP server at `/mcp`, and for its metadata. */
export function mcpRows(host: DrivenHost, settings?: WorldSettings): void {
  describe(`an MCP server on ${host.title}`, () => {
    test("has public metadata, which its challenges name, and counts no cookie [AP-038, AP-040]", async () => {
      const world = await worldOfTest(host, settings);
      const target = "/.well-known/oauth-protected-resource/mcp";
      const cookie = await (await world.signedIn()).cookies();
      const headers = { ...navigation, cookie };

      const document = await world.send({ target, headers });
      expect([document.status, document.setCookies]).toEqual([200, []]);
      expect(JSON.parse(document.body)).toMatchObject({
        resource: `${world.baseURL}/mcp`,
        authorization_servers: expect.arrayContaining([world.provider.issuer]),
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
        expect(challenge).toContain(`resource_metadata="${world.baseURL}${target}"`);
        expect(challenge).not.toContain("error=");
      }
    });
  });
}
