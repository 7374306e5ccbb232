import { describe, expect, test } from "vitest";

import type { Browser } from "../../../packages/latchkey/test/browser/browser.ts";
import { expectPage } from "../expectations.ts";
import { type DrivenHost, sharedWorld } from "./world.ts";

/** Both providers have this user: another person at each. */
const person = "person-1";
const names = { acme: "Amara Lindqvist", globex: "Goran Petrov" };
type Customer = keyof typeof names;
const customers = Object.keys(names) as Customer[];

/** Several connections: the path of login and callback names one, and the session keeps it. */
export function connectionRows(host: DrivenHost): void {
  describe(`several connections on ${host.title}`, () => {
    const world = sharedWorld(host, { customers });
    const login = (customer: Customer) =>
      `${world().baseURL}/api/auth/login/${customer}?returnTo=%2Fprivate%3Ftab%3D2`;
    const signedIn = async (customer: Customer) => {
      const browser = world().browser();
      await browser.signIn(login(customer), person);
      return browser;
    };
    const sessionIn = async (browser: Browser) =>
      JSON.parse((await browser.request("/_auth/session.json")).text);

    test.each(customers)(
      "sign a person in with %s, and keep it in the session [MX-025, MX-049]",
      async (customer) => {
        const { baseURL, provider } = world();
        const browser = world().browser();
        const { address } = await browser.untilCallback(login(customer), person);
        const callback = new URL(address);
        expect(callback.href).toMatch(`${baseURL}/api/auth/callback/${customer}?`);
        const page = await browser.open(address);
        expect(page.url.href).toBe(`${baseURL}/private?tab=2`);
        expectPage(page, `Private page of ${names[customer]}`);
        const { issuer } = provider.customers[customer] ?? {};
        expect(await sessionIn(browser)).toMatchObject({
          connection: customer,
          identity: { issuer, sub: person },
        });
      },
    );

    test("lead a person from a page to the ways to sign in, and back by the chosen one [MX-066]", async () => {
      const browser = world().browser();
      const chooser = await browser.open("/private?tab=2");
      expect(chooser.url.pathname).toBe("/_auth/sign-in");
      const provider = await browser.press(chooser, "connection", "globex");
      const page = await browser.press(provider, "person", person);
      expect(page.url.search).toBe("?tab=2");
      expectPage(page, "Private page of Goran Petrov");
    });

    test.each(["login", "callback", "backchannel-logout"])(
      "have no %s for an unknown one [MX-034]",
      async (route) => {
        const { status } = await world().browser().request(`/api/auth/${route}/initech`);
        expect(status).toBe(404);
      },
    );

    test("end the sessions of the provider alone that sends a logout token [MX-052]", async () => {
      const [one, other] = await Promise.all([signedIn("acme"), signedIn("globex")]);
      const [delivery] = (await world().provider.customers["acme"]?.endSessions(person)) ?? [];
      expect(delivery?.status).toBe(204);
      const states = [await sessionIn(one), await sessionIn(other)];
      expect(states).toMatchObject([{ state: "ended" }, { state: "signed-in" }]);
    });
  });
}
