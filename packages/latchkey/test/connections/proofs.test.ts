import { expect, test } from "vitest";

import { arrive, begin, signIn, startTwoProviders } from "./two-providers.ts";

const globex = "/api/auth/login/globex";
const withAcr = (acr: string) => ({ idToken: { claims: (own: object) => ({ ...own, acr }) } });

test.each([
  ["phr", 302],
  ["low", 403],
])(
  "a connection with acr requests it, and a sign-in with acr %s gets %i [MX-077]",
  async (acr, status) => {
    const world = await startTwoProviders({ globex: { acr: ["phr", "phrh"] } });
    world.second.behave(withAcr(acr));
    const browser = world.browser();
    const { login, returned } = await begin(world, browser, globex);
    expect(new URL(login.location).searchParams.get("acr_values")).toBe("phr phrh");
    expect((await arrive(browser, returned)).status).toBe(status);
    const other = await begin(world, world.browser());
    expect(new URL(other.login.location).searchParams.has("acr_values")).toBe(false);
  },
);

test("a better sign-in goes to the connection of the session, whatever its address names [MX-079]", async () => {
  const world = await startTwoProviders({
    options: { accessRules: { "/admin": { acr: ["phr"] } } },
  });
  const browser = world.browser();
  await signIn(world, browser, globex);
  const { location } = await browser.request("/admin");
  const query = new URL(location).search;
  expect(query).toContain("stepUp=");
  for (const path of [location, `${world.baseURL}/api/auth/login/default${query}`]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const begun = await browser.request(path);
    expect(new URL(begun.location).origin).toBe(world.second.url);
    expect(new URL(begun.location).searchParams.get("acr_values")).toBe("phr");
  }
});
