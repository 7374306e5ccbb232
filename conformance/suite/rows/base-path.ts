import { describe, expect, test } from "vitest";

import { createBrowser } from "../../../packages/latchkey/test/browser/browser.ts";
import { actionsOf, expectPage, expectPrivate, navigation } from "../expectations.ts";
import { rulesForAda, spellingRows } from "./spellings.ts";
import { type DrivenHost, sharedWorld } from "./world.ts";

/** What holds for an application whose base URL has the path `/shop`. */
export function basePathRows(baseURLOf: () => string): void {
  test("a person signs in, and returns to the requested page [AD-008]", async () => {
    const baseURL = baseURLOf();
    const browser = createBrowser(baseURL);
    const page = await browser.signIn(`${baseURL}/private?tab=2`);
    expect([page.url.href, page.status]).toEqual([`${baseURL}/private?tab=2`, 200]);
    expect(page.text).toContain("Private page of Ada Okafor");
    expect((await browser.request(`${baseURL}/api/me`)).status).toBe(200);
    expect((await browser.request(`${baseURL}/api/auth/me`)).status).toBe(200);
  });

  test("what the provider posts reaches its address, a final slash included [AD-002, AD-003, AD-008]", async () => {
    const baseURL = baseURLOf();
    for (const address of ["backchannel-logout", "backchannel-logout/"]) {
      const init = { method: "POST", body: new URLSearchParams({ logout_token: "none" }) };
      const sent = await createBrowser(baseURL).request(`${baseURL}/api/auth/${address}`, init);
      const isLed = sent.status === 308;
      const response = isLed ? await createBrowser(baseURL).request(sent.location, init) : sent;
      expect([address, response.status, response.text]).toEqual([
        address,
        404,
        "Back-Channel Logout is not enabled.",
      ]);
    }
  });

  test("its public paths are those below it, and everything else needs a sign-in [AD-008]", async () => {
    const baseURL = baseURLOf();
    const stranger = createBrowser(baseURL);
    const home = await stranger.request(`${baseURL}/`);
    expect([home.status, home.text.includes("Hello stranger")]).toEqual([200, true]);
    expect((await stranger.request(`${baseURL}/api/me`)).status).toBe(401);
    const page = await stranger.request(`${baseURL}/private`);
    expect(page.location).toBe(`${baseURL}/api/auth/login?returnTo=%2Fshop%2Fprivate`);
  });
}

/**
 * The same for a build in production, whose host starts it below `/shop`; and no spelling walks
 * round a rule there.
 */
export function builtBasePathRows(host: DrivenHost): void {
  describe(`a build below a path on ${host.title}`, () => {
    const world = sharedWorld(host, { environment: { LATCHKEY_BACKCHANNEL_LOGOUT: "false" } });
    basePathRows(() => world().baseURL);

    test("a person returns to the page named by a link to login, and to none outside of the path [AD-008]", async () => {
      const { baseURL } = world();
      const returnedTo = async (returnTo: string) => {
        const page = await createBrowser(baseURL).signIn(
          `${baseURL}/api/auth/login?returnTo=${encodeURIComponent(returnTo)}`,
        );
        return page.url.href;
      };
      expect(await returnedTo("/shop/private?tab=2")).toBe(`${baseURL}/private?tab=2`);
      expect(await returnedTo("//evil.example/shop/")).toBe(`${baseURL}/`);
    });

    test("a sign-out ends on its own page, and the user is signed out [AD-001, AD-008]", async () => {
      const { baseURL } = world();
      const browser = await world().signedIn();
      const cookie = await browser.cookies();
      const page = await browser.open(`${baseURL}/api/auth/logout`);
      expect([page.url.pathname, page.status]).toEqual(["/shop/_auth/signed-out", 200]);
      const again = await createBrowser(baseURL).request(`${baseURL}/private`, {
        headers: { cookie },
      });
      expect(again.location).toBe(`${baseURL}/api/auth/login?returnTo=%2Fshop%2Fprivate`);
    });

    test.each(actionAddresses)(
      "a stranger who posts to %s acts on nothing [AD-015]",
      async (target) => {
        const before = await actionsOf(world());
        const headers = {
          ...navigation,
          origin: world().baseURL.replace(/\/shop$/, ""),
          "content-type": "application/x-www-form-urlencoded",
        };
        await world().send({ method: "POST", target, headers, body: "a=1" });
        expect(await actionsOf(world())).toBe(before);
      },
    );
  });

  describe(`sign-in by form_post below a path on ${host.title}`, () => {
    const world = sharedWorld(host, { environment: { LATCHKEY_RESPONSE_MODE: "form_post" } });

    test("takes the form posted by the provider [AD-002, AD-008]", async () => {
      const { baseURL } = world();
      const page = await createBrowser(baseURL).signIn(`${baseURL}/private?tab=2`);
      expect(page.url.href).toBe(`${baseURL}/private?tab=2`);
      expectPage(page, "Private page of Ada Okafor");
    });
  });

  describe(`data below a path on ${host.title}`, () => {
    const world = sharedWorld(host, { environment: rulesForAda });

    test("are closed by the rule of their page, however their address is spelled [AD-010, AD-011]", async () => {
      const shownTo = async (person: string, name: string) => {
        const browser = world().browser();
        const { baseURL } = world();
        await browser.signIn(`${baseURL}/api/auth/login?returnTo=/shop/`, person);
        const cookie = await browser.cookies();
        const asked = dataAddresses.map(async (target) => {
          const { body, status } = await world().send({ target, headers: { cookie } });
          // What there is none of may know the person, too.
          const isData = status === 200 && !body.includes("<html");
          return isData && body.includes(name) ? [target] : [];
        });
        return (await Promise.all(asked)).flat();
      };
      const known = host.dataAddress === undefined ? [] : [`/shop${host.dataAddress}`];
      expect(await shownTo("person-ada", "Ada Okafor")).toEqual(expect.arrayContaining(known));
      expect(await shownTo("person-ben", "Ben Castellan")).toEqual([]);
    });

    test("of a person are kept by no shared cache [AD-022]", async () => {
      const cookie = await (await world().signedIn()).cookies();
      const target = `/shop${host.dataAddress ?? "/private"}`;
      const data = await world().send({ target, headers: { cookie } });
      expect([data.status, data.body.includes("Ada Okafor")]).toEqual([200, true]);
      expectPrivate(host, data);
    });
  });

  spellingRows(host, "/shop");
}

/** The addresses of frameworks for the data of a page, and their equivalents for some router. */
const dataAddresses =
  `/shop/private.data /shop/private.data?_routes=root /shop/private/_.data /SHOP/private.data
  /shop/PRIVATE.data /shop/%70rivate.data /%73hop/private.data /shop//private.data //shop/private.data
  /shop/x/../private.data /shop/private.data/ /private.data /shop/shop/private.data /shop/private%2edata
  /shop/private/__data.json /shop/private/__data.json?x-sveltekit-invalidated=001 /SHOP/private/__data.json
  /shop/%70rivate/__data.json /shop/PRIVATE/__data.json /%73hop/private/__data.json /shop//private/__data.json
  /shop/private/__data%2ejson /private/__data.json /shop/private.html__data.json
  /shop/private/_payload.json /SHOP/private/_payload.json`.split(/\s+/);

/** The addresses of frameworks for actions, and their equivalents for some router. */
const actionAddresses =
  `/shop/act /SHOP/act /shop/act.data /SHOP/act.data /shop/act?_action=act /shop/?_action=act
  /SHOP/?_action=act /shop/_actions/act /SHOP/_actions/act /shop/public/_actions/act /_actions/act
  /shop/%5factions/act /act`.split(/\s+/);
