import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { presets } from "../../src/check/identity-headers.ts";
import { startEnvoyDouble } from "./envoy-double.ts";
import { findProxy, type ProxyPorts, type RealProxy, startProxy } from "./example-proxy.ts";
import { type ProxiedApp, startProxiedApp } from "./proxied-app.ts";
import { startTraefikDouble } from "./traefik-double.ts";

type Start = (ports: ProxyPorts, change?: (text: string) => string) => Promise<() => Promise<void>>;

const real = (name: RealProxy): Start | null =>
  findProxy(name) === null ? null : (ports, change) => startProxy(name, ports, change);

/** Each starts with its example; `null` if this machine has none. */
const proxies: readonly (readonly [name: string, start: Start | null])[] = [
  ["nginx", real("nginx")],
  ["HAProxy", real("haproxy")],
  ["Caddy", real("caddy")],
  ["a double of Traefik", startTraefikDouble],
  ["a double of Envoy", startEnvoyDouble],
];

const noProxy: Start = () => Promise.reject(new Error("This machine has no such proxy."));

const page = { accept: "text/html", "sec-fetch-mode": "navigate" };
const script = { "sec-fetch-mode": "cors", accept: "application/json" };
const handshake = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
};

for (const [proxy, start] of proxies) {
  describe.skipIf(start === null)(`${proxy} with its example`, () => {
    let world: ProxiedApp;
    let cookie: string;

    beforeAll(async () => {
      world = await startProxiedApp(start ?? noProxy);
      cookie = world.app.cookies;
    });
    afterAll(() => world.close());

    const last = () => world.received.at(-1);
    const location = (path: string) =>
      `${world.url}/signin/api/auth/login?returnTo=${encodeURIComponent(world.url + path)}`;

    test("a visitor who opens a page is sent to sign in, and back to the whole address [GW-062]", async () => {
      const { length } = world.received;
      const answer = await world.send("/page?a=1&b=%20c", { headers: page });
      const { status, headers, challenges } = answer;
      expect([status, headers.location]).toEqual([302, location("/page?a=1&b=%20c")]);
      expect(challenges).toEqual([]);
      expect(world.received).toHaveLength(length);
    });

    test("the pages of sign-in are open", async () => {
      const { status, body } = await world.send("/signin/_auth/signed-out", { headers: page });
      expect([status, body]).toEqual([200, expect.stringContaining("</html>")]);
    });

    test("a script without a session gets 401 as JSON, with one challenge [AP-055]", async () => {
      const answer = await world.send("/page", { headers: script });
      const { status, headers, challenges, body } = answer;
      expect([status, headers.location]).toEqual([401, undefined]);
      expect(challenges).toEqual([expect.stringMatching(/^Cookie/)]);
      expect(JSON.parse(body)).toMatchObject({ error: "not_authenticated" });
    });

    test("a signed-in user reaches the application with identity headers, and without the session cookie [GW-063, GW-067]", async () => {
      const headers = { ...page, cookie: `theme=dark; ${cookie}; other=1` };
      const answer = await world.send("/page?x=%2F", { headers });
      expect([answer.status, answer.body]).toEqual([200, "the application"]);
      expect(last()).toMatchObject({ method: "GET", url: "/page?x=%2F" });
      expect(last()?.headers).toMatchObject({
        "latchkey-sub": "person-ada",
        "latchkey-email": "ada@example.com",
        "latchkey-name": "Ada Okafor",
        cookie: "theme=dark; other=1",
      });
      expect(last()?.headers["latchkey-groups"] ?? "").toBe("");
    });

    test.each(["/page", "/public"])(
      "identity headers of the client do not reach the application at %s [GW-063]",
      async (path) => {
        const forged = Object.values(presets.latchkey).map((name) => [name, "forged"]);
        const headers = { ...page, ...Object.fromEntries(forged), cookie };
        expect((await world.send(path, { headers })).status).toBe(200);
        expect(last()?.headers["latchkey-sub"] ?? "").toBe(path === "/page" ? "person-ada" : "");
        expect(JSON.stringify(last()?.headers)).not.toContain("forged");
      },
    );

    test.each(["Latchkey_Sub", "Latchkey.Sub", "LATCHKEY~GROUPS", "latchkey_access_token"])(
      "the alias %s of an identity header does not reach the application [AP-055]",
      async (alias) => {
        const { length } = world.received;
        const { status } = await world.send("/public", { headers: { [alias]: "root" } });
        expect([200, 400, 403]).toContain(status);
        const names = world.received.slice(length).flatMap((each) => each.names);
        expect(names.map((name) => name.toLowerCase())).not.toContain(alias.toLowerCase());
      },
    );

    test("forwarded headers of the client have no effect on what is decided [GW-060]", async () => {
      const headers = {
        ...page,
        "X-Forwarded-Uri": "/public",
        "X-Forwarded-Host": "public.example.com",
        "X-Forwarded-Method": "OPTIONS",
      };
      const answer = await world.send("/page", { headers });
      expect([answer.status, answer.headers.location]).toEqual([302, location("/page")]);
    });

    test("a rolling session reaches the browser beside the cookies of the application [GW-065]", async () => {
      const { headers } = await world.send("/page", { headers: { ...page, cookie } });
      const names = (headers["set-cookie"] ?? []).map((line) => line.split("=", 1)[0]);
      expect(new Set(names)).toEqual(new Set(["a", "appSession.t", "b"]));
      const missing = await world.send("/missing", { headers: { ...page, cookie } });
      expect(missing.status).toBe(404);
      expect(missing.headers["set-cookie"]?.join()).toContain("appSession.t=");
    });

    test("a user without a required group gets our 403 page, and a script JSON [GW-048]", async () => {
      const refused = await world.send("/admin", { headers: { ...page, cookie } });
      expect([refused.status, refused.headers["content-type"]]).toEqual([
        403,
        expect.stringContaining("text/html"),
      ]);
      expect(refused.body).toContain("ada@example.com");
      expect(refused.body).toContain("prompt=select_account");
      const json = await world.send("/admin", { headers: { ...script, cookie } });
      expect([json.status, JSON.parse(json.body)]).toMatchObject([403, { error: "ERR_FORBIDDEN" }]);
    });

    test("a refusal with a large page is a 403 with this page", async () => {
      const email = `${"a".repeat(20_000)}@example.com`;
      const person = await world.app.signIn({ user: { sub: "ada", email } });
      const refused = await world.send("/admin", { headers: { ...page, cookie: person } });
      expect([refused.status, refused.headers["content-type"]]).toEqual([
        403,
        expect.stringContaining("text/html"),
      ]);
      expect(refused.body).toContain("</html>");
      expect(refused.body.length).toBeGreaterThan(20_000);
    });

    test("a bearer token gets 401 with the challenge of the check, and no redirect [AP-056]", async () => {
      const headers = { ...page, cookie, authorization: "Bearer abc" };
      const answer = await world.send("/page", { headers });
      expect([answer.status, answer.headers.location]).toEqual([401, undefined]);
      expect(answer.challenges).toEqual([
        'Bearer error="invalid_token", error_description="The check accepts no access tokens."',
      ]);
    });

    test("a body reaches the application, not the check, and a change without a session neither", async () => {
      const body = "x".repeat(100_000);
      const sent = {
        method: "POST",
        body,
        headers: { ...page, cookie, "content-type": "text/plain" },
      };
      expect((await world.send("/page", sent)).status).toBe(200);
      expect(last()).toMatchObject({ method: "POST", body });
      const { length } = world.received;
      const refused = await world.send("/page", { ...sent, headers: page });
      expect([refused.status, refused.headers.location]).toEqual([303, location("/page")]);
      expect(world.received).toHaveLength(length);
    });

    test("the largest answer of the check passes [GW-066]", async () => {
      const groups = Array.from({ length: 150 }, (_, number) => `a-long-name-of-group-${number}`);
      const largest = await world.app.signIn({ user: { sub: "ada", groups } });
      const headers = { ...page, cookie: `${largest}; other=${"x".repeat(7000)}` };
      expect((await world.send("/page", { headers })).status).toBe(200);
      expect(last()?.headers["latchkey-groups"]).toBe(groups.join(","));
      expect(last()?.headers.cookie).toHaveLength(7006);
    });

    test("letters beyond ASCII reach the application as UTF-8 [GW-033]", async () => {
      const person = await world.app.signIn({ user: { sub: "ada", name: "Ada Łukasz 日本" } });
      await world.send("/page", { headers: { ...page, cookie: person } });
      const name = String(last()?.headers["latchkey-name"]);
      expect(Buffer.from(name, "latin1").toString("utf8")).toBe("Ada Łukasz 日本");
    });

    test("a preflight passes by its own rule, decided by the method of the client [GW-047]", async () => {
      const headers = {
        ...script,
        origin: "https://a.example",
        "access-control-request-method": "PUT",
      };
      expect((await world.send("/calls", { method: "OPTIONS", headers })).status).toBe(200);
      expect(last()).toMatchObject({ method: "OPTIONS", url: "/calls" });
      expect((await world.send("/page", { method: "OPTIONS", headers })).status).toBe(401);
      expect((await world.send("/calls", { headers })).status).toBe(401);
    });

    test("a handshake of a WebSocket passes with a session, and gets 401 without one [GW-054]", async () => {
      const refused = await world.send("/socket", { headers: handshake });
      expect([refused.status, refused.headers.location]).toEqual([401, undefined]);
      const passed = await world.send("/socket", { headers: { ...handshake, cookie } });
      expect(passed.status).toBe(101);
      expect(last()?.headers["latchkey-sub"]).toBe("person-ada");
    });

    test.each([
      { upgrade: "h2c", passes: false },
      { upgrade: "TLS/1.0", passes: false },
      { upgrade: "websocketh2c", passes: false },
      { upgrade: "h2c, websocket", passes: true },
      { upgrade: ["h2c", "websocket"], passes: true },
      { upgrade: ["WebSocket", "h2c"], passes: true },
    ])(
      "no upgrade but one to a WebSocket reaches the application: $upgrade",
      async ({ upgrade, passes }) => {
        const { length } = world.received;
        const connection = "Upgrade, HTTP2-Settings";
        const headers = { ...handshake, connection, upgrade, "http2-settings": "AAMAAABk" };
        const { status } = await world.send("/public", { headers });
        expect(passes ? [101, 200, 403] : [200, 403]).toContain(status);
        const types = world.received.slice(length).map((each) => each.headers.upgrade);
        expect(types.join().toLowerCase()).toBe(status === 101 ? "websocket" : "");
      },
    );

    test.each(["/page", "/socket"])(
      "identity headers that a client names in Connection reach the application at %s",
      async (path) => {
        const names = "Latchkey-Sub, latchkey-email, X-Forwarded-Uri, X-Forwarded-Host";
        const upgrade = path === "/socket" ? handshake : {};
        const connection = path === "/socket" ? `Upgrade, ${names}` : `close, ${names}`;
        const headers = { ...page, ...upgrade, connection, cookie: `${cookie}; other=1` };
        expect((await world.send(path, { headers })).status).toBe(path === "/socket" ? 101 : 200);
        expect(last()?.headers).toMatchObject({
          "latchkey-sub": "person-ada",
          "latchkey-email": "ada@example.com",
          cookie: "other=1",
        });
        expect(last()?.headers.connection ?? "").not.toMatch(/latchkey|forwarded/i);
      },
    );

    test("the application's own 401 stays as it is", async () => {
      const answer = await world.send("/own-401", { headers: { ...page, cookie } });
      expect([answer.status, answer.body]).toEqual([401, "own 401"]);
      expect(answer.headers["www-authenticate"]).toBe('Basic realm="own"');
    });

    test.each(["/public/../page", "/public/%2e%2e/page", "//public", "/public/..%2fpage"])(
      "a path that servers read differently is protected: %s [GW-002]",
      async (path) => {
        const { status } = await world.send(path, { headers: page });
        expect(status).toSatisfy((code: number) => code === 302 || code === 400 || code === 403);
      },
    );

    test("a path from which nothing can be concluded is refused, without an error of the proxy", async () => {
      const { status } = await world.send("/public/%01", { headers: { ...page, cookie } });
      expect(status).toSatisfy((code: number) => code === 400 || code === 403);
    });

    test("the check itself cannot be reached through the proxy", async () => {
      for (const path of ["/latchkey/check", "/check/nginx", "/signin/check/caddy"]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other is quick enough
        const { headers } = await world.send(path, { headers: { ...page, cookie } });
        expect(Object.keys(headers).filter((name) => name.startsWith("latchkey-"))).toEqual([]);
      }
    });

    test("while sign-in is down nothing passes [GW-069]", async () => {
      await world.stopSignIn();
      const { length } = world.received;
      const { status } = await world.send("/public", { headers: { ...page, cookie } });
      expect(status).toBeGreaterThanOrEqual(500);
      expect(world.received).toHaveLength(length);
    });
  });
}
