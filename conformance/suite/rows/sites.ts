import { describe, expect, test } from "vitest";

import { createBrowser } from "../../../packages/latchkey/test/browser/browser.ts";
import { edgeOf } from "../../../packages/latchkey/test/relay/edge.ts";
import { expectPage, navigation, script } from "../expectations.ts";
import { type DrivenHost, publicVariable, sharedWorld } from "./world.ts";

const first = "http://first.localhost:4000";
const second = "http://second.localhost:4001";
const ofStar = "http://acme.app.localhost:4002";
const sites = [first, second, ofStar];
const unknown = { host: "other.localhost:4000" };

/** Several base URLs: the host of a request alone says which one counts. */
export function siteRows(host: DrivenHost): void {
  describe(`several sites on ${host.title}`, () => {
    const world = sharedWorld(host, {
      environment: {
        ...publicVariable(host, ["/", "/cacheable", "/require", "/api/"]),
        LATCHKEY_BASE_URL: `${first} ${second} http://*.app.localhost:4002`,
      },
      provider: { appURL: sites },
    });
    /** A browser which reaches the application at each of its hosts. */
    const browserAt = (site: string) => {
      const edge = edgeOf(Object.fromEntries(sites.map((each) => [each, world().baseURL])));
      return createBrowser(site, edge);
    };
    const at = (site: string) => ({ host: new URL(site).host });
    const send = (target: string, headers: Readonly<Record<string, string>>) =>
      world().send({ target, headers });
    const foreignTo = (site: string) => sites.filter((each) => each !== site);

    test.each(sites)("lead a person to login at %s [MX-019, MX-020]", async (site) => {
      for (const target of ["/private", "/require"]) {
        const { header } = await send(target, { ...navigation, ...at(site) });
        const location = `${site}/api/auth/login?returnTo=${encodeURIComponent(target)}`;
        expect(header("location")).toBe(location);
      }
    });

    test.each(sites)("name no other one in their answers at %s [MX-019, MX-020]", async (site) => {
      const paths = ["/private", "/require", "/api/me", "/api/auth/me", "/api/auth/login"];
      for (const target of [
        ...paths,
        "/api/auth/logout",
        "/api/auth/nowhere",
        "/api/auth/callback",
      ]) {
        for (const accepted of [navigation, script]) {
          const { headers, body } = await send(target, { ...accepted, ...at(site) });
          const all = [...headers.flat(), body].join("\n");
          for (const other of foreignTo(site)) expect(all).not.toContain(new URL(other).hostname);
        }
      }
    });

    test.each(sites)("send their own redirect URI from %s [MX-019, MX-020]", async (site) => {
      const { header } = await send("/api/auth/login", { ...navigation, ...at(site) });
      const { searchParams } = new URL(header("location") ?? "");
      expect(searchParams.get("redirect_uri")).toBe(`${site}/api/auth/callback`);
    });

    test("sign a person in at one host, whose cookies are worth nothing at another [MX-028, MX-040]", async () => {
      const browser = browserAt(second);
      const { address } = await browser.untilCallback(`${second}/private?tab=2`);
      expect(address).toContain(`${second}/api/auth/callback?`);
      const { pathname, search } = new URL(address);
      const pending = { ...navigation, cookie: await browser.cookies() };
      const moved = await send(pathname + search, { ...pending, ...at(first) });
      expect([moved.status, moved.setCookies]).toEqual([400, []]);
      expect(world().log()).toContain("connection_mismatch");
      const page = await browser.open(address);
      expect(page.url.href).toBe(`${second}/private?tab=2`);
      expectPage(page, "Private page of");

      const carried = { ...navigation, cookie: await browser.cookies() };
      expect((await send("/api/auth/me", { ...carried, ...at(second) })).status).toBe(200);
      for (const site of foreignTo(second)) {
        const me = await send("/api/auth/me", { ...carried, ...at(site) });
        expect([me.status, me.setCookies]).toEqual([204, []]);
        const { header } = await send("/private", { ...carried, ...at(site) });
        expect(header("location")).toContain(`${site}/api/auth/login`);
      }
    });

    test("ignore what a client or a proxy forwards [MX-017]", async () => {
      const forwarded = {
        "x-forwarded-host": "second.localhost:4001",
        "x-forwarded-proto": "https",
        forwarded: "host=second.localhost:4001;proto=https",
      };
      const { header } = await send("/private", { ...navigation, ...forwarded, ...at(first) });
      expect(header("location")).toContain(`${first}/api/auth/login`);
      expect((await send("/private", { ...navigation, ...forwarded, ...unknown })).status).toBe(
        421,
      );
    });

    test("are not there for another host, and no public page has a user [MX-015, MX-016]", async () => {
      for (const target of ["/private", "/api/auth/login", "/api/auth/me"]) {
        for (const accepted of [navigation, script]) {
          const { status, header, setCookies } = await send(target, { ...accepted, ...unknown });
          expect([target, status, header("location"), setCookies]).toEqual([target, 421, null, []]);
        }
      }
      expect((await send("/cacheable", unknown)).status).toBe(200);
    });
  });
}
