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

    test("answers a preflight at the door, and no framework or handler does [AP-036]", async () => {
      const issuer = await startTestIssuer();
      const world = await worldOfTest(host, { environment: { API_ISSUER: issuer.issuer } });
      for (const target of ["/api/me", "/api/admin", "/api/nothing-here"]) {
        const headers = {
          origin: "https://spa.example",
          "access-control-request-method": "DELETE",
          "access-control-request-headers": "authorization",
        };
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const response = await world.send({ method: "OPTIONS", target, headers });
        expect([target, response.status, response.body]).toEqual([target, 204, ""]);
        expect(response.header("cache-control")).toBe("no-store");
        expect(response.header("allow")).toBeNull();
        expect(response.header("access-control-allow-origin")).toBeNull();
      }
    });
  });
}
