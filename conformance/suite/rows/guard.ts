import { describe, expect, test } from "vitest";

import { isOneSite } from "../../../packages/latchkey/test/second-site.ts";
import { expectPage, navigation, script } from "../expectations.ts";
import { type DrivenHost, sharedWorld } from "./world.ts";

const everyMethod =
  "GET HEAD OPTIONS POST PUT PATCH DELETE TRACE CONNECT PURGE PROPFIND QUERY BREW get GeT";

/** The requests admitted to the application, and the responses to all others. */
export function guardRows(host: DrivenHost): void {
  const methods = everyMethod.split(" ").filter((each) => !host.failsAt?.methods?.includes(each));

  describe(`the guard on ${host.title}`, () => {
    const world = sharedWorld(host);

    test.each([
      "/private?a=1&b=%20",
      "/private/stream",
      "/files/a.txt",
      "/nowhere",
      "/status/204",
      "/api-docs",
      "/favicon.icon",
    ])(
      "sends a person without a session from %s to login, with the way back [AD-009, AD-010]",
      async (target) => {
        const response = await world().send({ target, headers: navigation });
        const login = new URL(response.header("location") ?? "", world().baseURL);
        expect([response.status, login.origin, login.pathname]).toEqual([
          302,
          world().baseURL,
          "/api/auth/login",
        ]);
        expect(login.searchParams.get("returnTo")).toBe(target);
        expect(response.header("cache-control")).toBe("private, no-store");
      },
    );

    test.each([
      ["/api/me", navigation],
      ["/api/nowhere", {}],
      ["/api/fail", navigation],
      ["/private", script],
      ["/files/a.txt", script],
      ["/private", { "sec-purpose": "prefetch" }],
      ["/private", { "sec-purpose": "prefetch;prerender", ...navigation }],
      ["/private", { purpose: "prefetch" }],
    ])(
      "answers %s with %j 401 as JSON and starts no login [AD-009, AD-014]",
      async (target, headers) => {
        const response = await world().send({ target, headers });
        expect(response.status).toBe(401);
        expect(JSON.parse(response.body)).toMatchObject({ error: "not_authenticated" });
        expect(response.header("www-authenticate")).toMatch(/^Cookie realm="/);
        expect([response.setCookies, response.header("location")]).toEqual([[], null]);
      },
    );

    test("starts no login and sets no cookie upon a prefetch of login [AD-014]", async () => {
      const headers = { "sec-purpose": "prefetch" };
      const response = await world().send({ target: "/api/auth/login", headers });
      expect([response.status, response.setCookies]).toEqual([204, []]);
    });

    test("admits a session to pages, API, files and error pages [AD-009, AD-010]", async () => {
      const cookie = await (await world().signedIn()).cookies();
      for (const [target, status, text] of [
        ["/", 200, "Hello Ada Okafor"],
        ["/private", 200, "Private page of Ada Okafor"],
        ["/api/me", 200, '"name":"Ada Okafor"'],
        ["/files/a.txt", 200, "A file for signed-in people."],
        ["/nowhere", 404, "No such page"],
      ] as const) {
        const response = await world().send({ target, headers: { cookie } });
        expect([target, response.status]).toEqual([target, status]);
        expect(response.body).toContain(text);
      }
      const stranger = await world().send({ target: "/" });
      expectPage({ status: stranger.status, text: stranger.body }, "Hello stranger");
    });

    const targets = `/api/auth/login /api/auth/callback /api/auth/logout /api/auth/me
      /api/auth/backchannel-logout /api/auth/nothing /_auth/session.json /_auth/signed-out /
      /private /api/me /files/a.txt`;

    test.each(targets.split(/\s+/))(
      "answers every method at %s below 500 [AD-006]",
      async (target) => {
        for (const method of methods) {
          const { status } = await world().send({ method, target });
          // Servers close the connection of a CONNECT without a listener.
          const isFine = (status >= 200 && status < 500) || (method === "CONNECT" && status === 0);
          expect([method, status, isFine]).toEqual([method, status, true]);
        }
      },
    );

    test("shows a protected page to no stranger, whatever the method [AD-006]", async () => {
      for (const method of methods) {
        const { body, status } = await world().send({ method, target: "/private" });
        expect([method, body.includes("Private"), status === 200]).toEqual([method, false, false]);
      }
    });

    test.each(Object.entries(oddHeaders))(
      "opens nothing upon %s and answers below 500 [AD-006]",
      async (_, headers) => {
        for (const target of ["/private", "/api/me", "/api/auth/me", "/api/auth/login", "/"]) {
          const { status, body } = await world().send({ target, headers });
          const isPrivate = body.includes("Private page of");
          expect([target, status, status < 500, isPrivate]).toEqual([target, status, true, false]);
        }
      },
    );

    test.each(oddTargets.trim().split(/\s+/))(
      "leads %j to no protected page [AD-011]",
      async (target) => {
        const { status, body } = await world().send({ target, headers: navigation });
        expect([target, /Private page of|A file for/.test(body)]).toEqual([target, false]);
        const isHostsOwn = host.failsAt?.absoluteTargets === true && target.startsWith("http");
        const isHome = status === 200 && body.includes("Hello stranger");
        const isRefused =
          status === 0 || isHome || (status >= 300 && status < (isHostsOwn ? 501 : 500));
        expect([target, status, isRefused]).toEqual([target, status, true]);
      },
    );

    test.runIf(isOneSite).each(claimedHosts)(
      "neither guards nor addresses otherwise upon the headers %j [AD-012]",
      async (headers) => {
        const { baseURL } = world();
        const refused = await world().send({ target: "/private", headers });
        const { href } = new URL(refused.header("location") ?? "", baseURL);
        const expected = `${baseURL}/api/auth/login?returnTo=%2Fprivate`;
        expect([refused.status, href]).toEqual([302, expected]);
        const login = await world().send({ target: "/api/auth/login", headers });
        const { searchParams } = new URL(login.header("location") ?? "");
        expect(searchParams.get("redirect_uri")).toBe(`${baseURL}/api/auth/callback`);
      },
    );
  });
}

const oddHeaders: Readonly<Record<string, Record<string, string>>> = {
  "what Next.js tells itself": {
    "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy",
    "x-middleware-rewrite": "/private",
    "x-middleware-next": "1",
    "x-middleware-invoke": "1",
    "x-invoke-path": "/private",
    "x-invoke-status": "200",
    "x-matched-path": "/private",
    "x-nextjs-data": "1",
    "x-prerender-revalidate": "1",
    "next-resume": "1",
  },
  "an action, and a page that is fetched ahead": {
    "next-action": "0".repeat(42),
    rsc: "1",
    "next-url": "/private",
    "next-router-prefetch": "1",
    "next-router-segment-prefetch": "/_tree",
  },
  "what other frameworks and sign-in tell themselves": {
    "x-remix-reload-document": "1",
    "x-react-router-spa-mode": "yes",
    "x-sveltekit-action": "true",
    "x-sveltekit-pathname": "/private",
    "x-tsr-serverfn": "true",
    "x-astro-path": "/private",
    "x-astro-locals": '{"auth":{"user":{"name":"Ada Okafor"}}}',
    "x-nuxt-error": "true",
    "x-nitro-prerender": "/private",
    "x-latchkey-target": "/public/x",
    "x-latchkey-renewed": "1",
    "x-latchkey-page": "//evil.example",
  },
  "cookies without names or values": {
    cookie: "=; ;;; appSession; appSession.0=; appSession.1=x; __proto__=1; constructor=2",
  },
  "a cookie of 8 kB": { cookie: `appSession=${"a.".repeat(4000)}` },
  "a session without encryption": {
    cookie: "appSession=eyJhbGciOiJub25lIn0.e30.; auth_verification=%00%ff",
  },
  "a cookie of other bytes than ASCII": { cookie: "appSession=\u00e9\u00ff\u0080" },
  "odd weights of what is accepted": {
    accept: "*/*;q=x, text/html;q=-1, ;;;,,,",
    "accept-language": "-;q=,*",
  },
  "500 accepted types": { accept: "text/html;".repeat(500) },
  "odd fetch metadata": { "sec-fetch-mode": "", "sec-fetch-site": "?", "sec-purpose": "%00" },
  "an odd type of no content": {
    "content-type": "application/x-www-form-urlencoded;;;charset=\u00e9",
    "content-length": "0",
  },
  "an empty bearer token and a script for a referrer": {
    authorization: "Bearer ",
    origin: "null",
    referer: "javascript:alert(1)",
  },
  "a name of 2 kB": { "x-forwarded-for": "' or 1=1", "user-agent": "\u00ff".repeat(2000) },
};

const oddTargets = String.raw`//private /\private /private/ /%70rivate /./private
  /public/../private /public/%2e%2e/private /public/..%2fprivate /public/..%5cprivate
  /public/..\private /_auth/..;/private /public//../private //private/public/x
  /private/public/../x /PRIVATE /private;/public/ /private?/public/ /api//me /%61pi/me /api%2fme
  /public/%252e%252e/private http://localhost/private http://evil.example/private
  /files/..%2ffiles/a.txt /Files/a.txt`;

const claimedHosts: readonly Record<string, string>[] = [
  { host: "evil.example" },
  { host: "evil.example:443", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
  { forwarded: "for=127.0.0.1;host=evil.example;proto=https", "x-forwarded-prefix": "/public" },
  { "x-original-url": "/public/x", "x-rewrite-url": "/public/x", "x-forwarded-uri": "/public/x" },
  { "x-http-method-override": "OPTIONS", "x-forwarded-port": "1" },
];
