import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { rawBytes } from "../../../../packages/latchkey/test/browser/raw-bytes.ts";
import { freePort } from "../../../../packages/latchkey/test/servers/free-port.ts";
import { findProxy, type RealProxy, startProxy } from "./example-proxy.ts";
import { type ProxiedApp, startProxiedApp } from "./proxied-app.ts";

const proxies: readonly RealProxy[] = ["nginx", "haproxy", "caddy"];

/** Requests for a host of the app, `SITE` with its port. */
const ofSite = [
  ["its host", "GET /PATH HTTP/1.1|Host: SITE"],
  ["capital letters", "GET /PATH HTTP/1.1|Host: Other.Localhost:PORT"],
  ["a dot at its end", "GET /PATH HTTP/1.1|Host: other.localhost.:PORT"],
  ["X-Forwarded-Host", "GET /PATH HTTP/1.1|Host: SITE|X-Forwarded-Host: intruder.example"],
  ["Forwarded", "GET /PATH HTTP/1.1|Host: SITE|Forwarded: host=intruder.example;proto=https"],
  ["X-Original-Host", "GET /PATH HTTP/1.1|Host: SITE|X-Original-Host: intruder.example"],
  ["an absolute target", "GET http://SITE/PATH HTTP/1.1|Host: SITE"],
  ["HTTP/1.0", "GET /PATH HTTP/1.0|Host: SITE"],
] as const;

/** Requests for another host, or for two. Some of them a proxy refuses itself. */
const ofStrangers = [
  ["another name", "GET /PATH HTTP/1.1|Host: intruder.example"],
  ["a name below the host", "GET /PATH HTTP/1.1|Host: intruder.SITE"],
  ["no port", "GET /PATH HTTP/1.1|Host: other.localhost"],
  ["another port", "GET /PATH HTTP/1.1|Host: other.localhost:1"],
  ["IPv6", "GET /PATH HTTP/1.1|Host: [::1]:PORT"],
  ["a user name", "GET /PATH HTTP/1.1|Host: intruder@SITE"],
  ["two lines", "GET /PATH HTTP/1.1|Host: SITE|Host: intruder.example"],
  ["two lines in the other order", "GET /PATH HTTP/1.1|Host: intruder.example|Host: SITE"],
  ["a list", "GET /PATH HTTP/1.1|Host: SITE, intruder.example"],
  ["nothing", "GET /PATH HTTP/1.1|Host: "],
  ["no line", "GET /PATH HTTP/1.0"],
  ["an escape", "GET /PATH HTTP/1.1|Host: other%2elocalhost:PORT"],
  ["a path", "GET /PATH HTTP/1.1|Host: SITE/intruder.example"],
  ["a fragment", "GET /PATH HTTP/1.1|Host: intruder.example#SITE"],
  ["a backslash", "GET /PATH HTTP/1.1|Host: intruder.example\\@SITE"],
  ["a tab", "GET /PATH HTTP/1.1|Host: SITE\tintruder.example"],
  ["a null character", "GET /PATH HTTP/1.1|Host: SITE\0intruder.example"],
  ["two dots", "GET /PATH HTTP/1.1|Host: other.localhost..:PORT"],
  ["X-Forwarded-Host", "GET /PATH HTTP/1.1|Host: intruder.example|X-Forwarded-Host: SITE"],
  ["a folded line", "GET /PATH HTTP/1.1|Host: intruder.example\r\n SITE"],
  ["a space before a colon", "GET /PATH HTTP/1.1|Host: intruder.example|Host : SITE"],
] as const;

/** A proxy takes one of the two hosts, or refuses the request. */
const ofTwo = [
  ["a stranger in the target", "GET http://intruder.example/PATH HTTP/1.1|Host: SITE"],
  ["a stranger in Host", "GET http://SITE/PATH HTTP/1.1|Host: intruder.example"],
  ["a user name in the target", "GET http://intruder@SITE/PATH HTTP/1.1|Host: SITE"],
] as const;

for (const proxy of proxies) {
  describe.skipIf(findProxy(proxy) === null)(`an app with two hosts behind ${proxy}`, () => {
    let world: ProxiedApp;
    let port = 0;
    let calls = 0;
    const provider = createServer((_, response) => {
      calls += 1;
      response.writeHead(404).end();
    });

    beforeAll(async () => {
      await once(provider.listen(0, "127.0.0.1"), "listening");
      port = await freePort();
      // The example of Caddy has one host alone.
      const forAll = (text: string) => text.replace("http://localhost:8080", "http://:8080");
      const environment = {
        LATCHKEY_BASE_URL: `http://localhost:${port}/signin http://other.localhost:${port}/signin`,
        LATCHKEY_ISSUER_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
        LATCHKEY_PRODUCTION: "true",
      };
      const start = (ports: Parameters<typeof startProxy>[1]) => startProxy(proxy, ports, forAll);
      world = await startProxiedApp(start, environment, port);
    });
    afterAll(async () => {
      await world.close();
      provider.close();
    });

    async function send(form: string, path: string) {
      const head = form
        .replaceAll("|", "\r\n")
        .replace("PATH", path)
        .replaceAll("SITE", "other.localhost:PORT")
        .replaceAll("PORT", String(port));
      const answer = await rawBytes(
        `http://127.0.0.1:${port}`,
        `${head}\r\nAccept: text/html\r\nCookie: ${world.app.cookies}\r\nConnection: close\r\n\r\n`,
      );
      const [, status] = /^HTTP\/1\.[01] (\d{3}) /.exec(answer) ?? [];
      return { answer, status: Number(status), location: /^location: (.*)$/im.exec(answer)?.[1] };
    }
    const login = () =>
      `http://other.localhost:${port}/signin/api/auth/login?returnTo=%2Fsignin%2Faccount`;

    test.each(ofSite)("finds the host by %s [MX-015, MX-017]", async (_, form) => {
      const { answer, location } = await send(form, "signin/account");
      expect(location).toBe(login());
      expect(answer).not.toContain("intruder");
    });

    test.each(ofStrangers)(
      "answers nothing for %s, and calls no provider [MX-015, MX-016]",
      async (_, form) => {
        const before = calls;
        for (const path of ["signin/account", "signin/api/auth/login", "signin/api/auth/me"]) {
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          const { answer, status } = await send(form, path);
          expect([400, 421]).toContain(status);
          expect(answer).not.toMatch(/^(?:location|set-cookie):|intruder|localhost:\d|Ada/im);
        }
        expect(calls).toBe(before);
      },
    );

    test.each(ofTwo)("answers by its own host alone for %s [MX-015, MX-017]", async (_, form) => {
      const { answer, status, location } = await send(form, "signin/account");
      expect(location ?? login()).toBe(login());
      expect([302, 400, 421]).toContain(status);
      expect(answer).not.toMatch(/intruder|Ada/);
    });
  });
}
