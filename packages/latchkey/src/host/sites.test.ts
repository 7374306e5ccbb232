import { describe, expect, test } from "vitest";

import { cookieHeader } from "../../test/browser/cookie-jar.ts";
import { isOneSite } from "../../test/second-site.ts";
import { createQuickApp, type QuickApp } from "../../test/worlds/quick-app.ts";
import { configOf } from "../../test/settings.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Options } from "../index.ts";
import type { HostContext } from "./host-context.ts";
import { createSites } from "./sites.ts";

const primary = "https://app.example.com";
const other = "https://other.example";
const baseURL = [primary, other, "https://*.app.example.com"];

function app(options: Partial<Options> = {}): QuickApp {
  return createQuickApp({ baseURL, ...options });
}

/** A request as a host without `Host` in its address hands it over. */
function ask(
  { auth }: QuickApp,
  address: string,
  { headers = {}, method = "GET" }: { headers?: Record<string, string>; method?: string } = {},
): Promise<Response> {
  const request = new Request(address, { method, headers });
  return auth.respond(request, (passed) =>
    Response.json({ user: auth.of(passed).user, url: passed.url }),
  );
}

const page = { accept: "text/html" };
const elsewhere = "https://internal:3000";

describe("an app with several base URLs", () => {
  test.each([
    [primary, "app.example.com"],
    [other, "OTHER.example."],
    [other, "other.example:443"],
    ["https://acme.app.example.com", "acme.app.example.com"],
  ])("leads to login at %s a page opened at %s [MX-019]", async (origin, host) => {
    const response = await ask(app(), `${elsewhere}/private?a=b`, { headers: { ...page, host } });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(
      `${origin}/api/auth/login?returnTo=%2Fprivate%3Fa%3Db`,
    );
  });

  test("finds the site by the address if a host has no header for it", async () => {
    const response = await ask(app(), `${other}/private`, { headers: page });
    expect(response.headers.get("location")).toContain(`${other}/api/auth/login`);
  });

  test.each([primary, other, "https://acme.app.example.com"])(
    "sends the redirect URI of %s with a login there [MX-019, MX-025]",
    async (origin) => {
      const response = await ask(app(), `${origin}/api/auth/login`);
      const { searchParams } = new URL(response.headers.get("location") ?? "");
      expect(searchParams.get("redirect_uri")).toBe(`${origin}/api/auth/callback`);
    },
  );

  test.each([
    ["another name", { host: "evil.example" }],
    ["a port of its own", { host: "other.example:8443" }],
    ["the parent of a pattern", { host: "example.com" }],
    ["two labels for the star", { host: "a.b.app.example.com" }],
    ["a user name", { host: "other.example@evil.example" }],
    ["a list", { host: "other.example, app.example.com" }],
    ["an empty host", { host: "" }],
  ])("answers 421 on its routes and guarded paths for %s [MX-015, MX-016]", async (_, headers) => {
    const store = memoryStore();
    const calls: string[] = [];
    const watched = new Proxy(store, {
      get(target, name) {
        calls.push(String(name));
        return Reflect.get(target, name) as unknown;
      },
    });
    const fetched: string[] = [];
    const made = app({
      store: watched,
      fetch: async (address) => {
        fetched.push(address);
        return new Response(null, { status: 500 });
      },
      production: true,
    });
    await made.auth.status();
    calls.length = 0;
    const cookie = "appSession=eyJhbGciOiJkaXIifQ..a.b.c; auth_verification=x";
    const paths = ["/private", "/api/auth/login", "/api/auth/me", "/api/auth/callback?code=1"];
    for (const path of [...paths, "/api/auth/logout", "/api/x", "/_auth/session.json"]) {
      for (const accept of ["text/html", "application/json", "*/*"]) {
        // oxlint-disable-next-line no-await-in-loop -- in this order
        const response = await ask(made, elsewhere + path, {
          headers: { ...headers, accept, cookie },
        });
        // oxlint-disable-next-line no-await-in-loop -- in this order
        const body = await response.text();
        expect([path, response.status]).toEqual([path, 421]);
        expect(response.headers.get("cache-control")).toBe("no-store");
        expect(response.headers.getSetCookie()).toEqual([]);
        expect(response.headers.get("location")).toBeNull();
        const all = [...response.headers, body].flat().join("\n");
        for (const name of ["evil", "example", "internal", "appSession"])
          expect(all).not.toContain(name);
      }
    }
    expect([calls, fetched]).toEqual([[], []]);
  });

  test("admits a public path of an unknown host, signed in at none [MX-016]", async () => {
    const made = app({ publicPaths: ["/about"] });
    const jar = await made.signIn();
    const headers = { host: "evil.example", cookie: cookieHeader(jar) };
    const response = await ask(made, `${elsewhere}/about`, { headers });
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
    expect(await response.json()).toMatchObject({ user: null });
    const known = await ask(made, `${primary}/about`, { headers: { cookie: cookieHeader(jar) } });
    expect(await known.json()).toMatchObject({ user: { sub: expect.any(String) } });
  });

  test("answers 421 if a public page of an unknown host wants a user [MX-016]", async () => {
    const { auth } = app({ publicPaths: ["/about"] });
    const request = new Request("https://evil.example/about", { headers: page });
    const response = await auth.respond(request, (passed) => {
      auth.of(passed).require();
      return new Response("never");
    });
    expect(response.status).toBe(421);
  });

  test("says 421 in words that show nothing of the app, and to developers what is listed", async () => {
    const asked = (production: boolean) =>
      ask(app({ production, appName: "Harbour" }), "https://evil.example/private", {
        headers: page,
      });
    const text = await (await asked(true)).text();
    expect(text).toContain("<h1>Nothing here</h1>");
    expect(text).toContain("There&#39;s no app at this address. Check it for typing mistakes.");
    expect(text).toMatch(/Reference <code>[A-Z0-9]{4}-[A-Z0-9]{4}</);
    expect(text).not.toMatch(/Harbour|example|href="http/);
    const open = await (await asked(false)).text();
    expect(open).toContain("evil.example");
    expect(open).toContain(other);
  });

  test("logs an unknown host once a request, cut short", async () => {
    const made = app();
    await ask(made, elsewhere, { headers: { host: `${"a".repeat(300)}.example` } });
    const refusals = made.events.filter(({ event }) => event === "refusal");
    expect(refusals).toMatchObject([{ reason: "host_unknown", status: 421, route: "guard" }]);
    expect(JSON.parse(JSON.stringify(refusals))).not.toMatchObject([{ host: expect.anything() }]);
    expect(JSON.stringify(refusals).length).toBeLessThan(900);
  });
});

describe("the header of the host", () => {
  const forwarded = {
    "x-forwarded-host": "other.example",
    "x-forwarded-proto": "http",
    "x-original-host": "other.example",
    forwarded: "host=other.example;proto=http",
  };

  test("changes nothing unless the settings name it [MX-017]", async () => {
    const known = { ...page, ...forwarded, host: "app.example.com" };
    const response = await ask(app(), `${elsewhere}/private`, { headers: known });
    expect(response.headers.get("location")).toContain(`${primary}/api/auth/login`);
    const unknown = { ...page, ...forwarded, host: "evil.example" };
    expect((await ask(app(), `${elsewhere}/private`, { headers: unknown })).status).toBe(421);
  });

  test("alone counts if the settings name it [MX-017]", async () => {
    const made = app({ hostHeader: "X-Forwarded-Host" });
    const asked = async (headers: Record<string, string>) => {
      const response = await ask(made, `${elsewhere}/private`, {
        headers: { ...page, ...headers },
      });
      return response.headers.get("location")?.split("/api", 1)[0] ?? response.status;
    };
    expect(await asked({ ...forwarded, host: "evil.example" })).toBe(other);
    expect(await asked({ ...forwarded, host: "app.example.com" })).toBe(other);
    expect(await asked({ host: "app.example.com" })).toBe(421);
    const list = { "x-forwarded-host": "other.example, app.example.com" };
    expect(await asked({ ...list, host: "app.example.com" })).toBe(421);
    expect(await asked({ "x-forwarded-host": "evil.example", host: "app.example.com" })).toBe(421);
  });
});

test.runIf(isOneSite)(
  "with one base URL the host of a request does not count [MX-014]",
  async () => {
    const made = app({ baseURL: primary, production: true });
    for (const host of ["evil.example", "", "a, b", "other.example@x"]) {
      // oxlint-disable-next-line no-await-in-loop -- in this order
      const response = await ask(made, `${elsewhere}/private`, { headers: { ...page, host } });
      expect(response.headers.get("location")).toContain(`${primary}/api/auth/login`);
    }
  },
);

describe("the sites of a star", () => {
  function countingSites() {
    const made: string[] = [];
    const config = configOf({ baseURL: [primary, "https://*.app.example.com"] });
    const sites = createSites(config, (of) => {
      made.push(of.origin);
      return { config: of } as HostContext;
    });
    const open = (host: string) =>
      sites.of({
        method: "GET",
        url: `${primary}/`,
        target: "/",
        headers: new Headers({ host }),
        body: () => Promise.reject(new Error("no body")),
      });
    return { made, open };
  }

  test("are kept from the second request on", () => {
    const { made, open } = countingSites();
    for (let nth = 0; nth < 5; nth += 1) open("acme.app.example.com");
    expect(made).toEqual([primary, ...Array(2).fill("https://acme.app.example.com")]);
  });

  test("in use are not displaced by names that come once [MX-106]", () => {
    const { made, open } = countingSites();
    for (let nth = 0; nth < 2; nth += 1) open("acme.app.example.com");
    for (let nth = 0; nth < 5000; nth += 1) open(`x${nth}.app.example.com`);
    open("acme.app.example.com");
    expect(made.filter((origin) => origin.includes("acme"))).toHaveLength(2);
  });
});
