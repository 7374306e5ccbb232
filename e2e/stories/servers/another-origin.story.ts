/** A script of another origin calls an API with an access token, and can read why it is refused. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "../../test-app.ts";
import express from "express";
import { createAuth } from "latchkey";
import { api } from "latchkey/api";
import { latchkey } from "latchkey/express";
import { createTestIssuer } from "../../../packages/latchkey/test/api/issuer.ts";
import { openOtherSite } from "../../other-site.ts";

const audience = "https://api.example";

test("a script of another origin gets past the preflight, and reads challenges and refusals [AP-036]", async ({
  page,
}) => {
  const site = await openOtherSite();
  const origin = site.url.slice(0, -1);
  const issuer = await createTestIssuer("https://op.example");
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  try {
    const url = `http://localhost:${(server.address() as AddressInfo).port}`;
    const auth = createAuth({
      baseURL: url,
      issuerBaseURL: issuer.issuer,
      clientID: "client",
      clientSecret: "client-secret",
      secret: "a-secret-of-the-stories-0123456789abcdef",
      idTokenSigningAlg: "ES256",
      fetch: issuer.fetch,
      log: () => undefined,
      accessRules: { "/api/admin": { scope: "admin" } },
      api: api({ audience, origins: [origin] }),
    });
    const app = express().use(latchkey(auth));
    app.get("/api/data", (request, response) => void response.send(request.auth.claims?.sub));
    server.on("request", app);

    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: "ada", client_id: "spa", scope: "read", jti: "1" };
    const times = { iat: now, exp: now + 300 };
    const token = await issuer.sign({ iss: issuer.issuer, aud: audience, ...claims, ...times });
    await page.goto(site.url);
    const ask = (path: string, authorization: string) =>
      page.evaluate(
        async ([address, value]) => {
          const response = await fetch(address, { headers: { authorization: value } });
          const challenge = response.headers.get("www-authenticate");
          return [response.status, challenge, await response.text()] as const;
        },
        [url + path, authorization] as const,
      );

    expect(await ask("/api/data", `Bearer ${token}`)).toEqual([200, null, "ada"]);
    const [refused, challenge, body] = await ask("/api/data", "Bearer garbage");
    expect([refused, challenge]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    expect(JSON.parse(body)).toMatchObject({ error: "invalid_token" });
    const [forbidden, scope] = await ask("/api/admin", `Bearer ${token}`);
    expect([forbidden, scope]).toEqual([403, expect.stringContaining('scope="admin"')]);
  } finally {
    server.closeAllConnections();
    server.close();
    await site.close();
  }
});
