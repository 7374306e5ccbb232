import { behaviorOfTenant, startHostileProvider } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { atEnd } from "../at-end.ts";
import { inTab, page, post, providerOf } from "./chooser-page.ts";
import { arrive, begin, settingsAt, signIn, startTwoProviders } from "./two-providers.ts";

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

describe("a better sign-in of a session", () => {
  const rules = { options: { accessRules: { "/admin": { acr: ["phr"] } } } };

  /** A user of globex who is on the way to a better sign-in. */
  async function proving() {
    const world = await startTwoProviders(rules);
    const browser = world.browser();
    await signIn(world, browser, globex);
    const { location } = await browser.request("/admin");
    return { world, browser, location };
  }

  test("by another user of the provider is refused, and the session stays [MX-079]", async () => {
    const { world, browser, location } = await proving();
    const before = (await browser.request("/api/auth/me")).text;
    const asEve = { idToken: { claims: (own: object) => ({ ...own, sub: "eve", acr: "phr" }) } };
    world.second.behave(asEve);
    const refused = await signIn(world, browser, location);
    expect(refused.status).toBe(403);
    expect(world.problems.at(-1)).toMatchObject({
      reason: "step_up_unmet",
      kind: "sign-in-refused",
      detail: "another user than that of the session has signed in",
    });
    expect((await browser.request("/api/auth/me")).text).toBe(before);
    world.second.behave(withAcr("phr"));
    expect((await signIn(world, browser, location)).location).toBe(`${world.baseURL}/admin`);
    expect((await browser.request("/admin")).status).toBe(200);
  });

  test("by a user of the same name in another tenant is refused, and the session stays [MX-079]", async () => {
    const entra = await startHostileProvider({ issuerPath: "/common/v2.0" });
    atEnd(() => entra.close());
    const more = { entra: { ...settingsAt(entra), tenants: ["any"] } };
    const world = await startTwoProviders({ ...rules, more });
    const browser = world.browser();
    entra.behave(behaviorOfTenant("tenant-1"));
    await signIn(world, browser, "/api/auth/login/entra");
    const { location } = await browser.request("/admin");
    entra.behave([behaviorOfTenant("tenant-2"), withAcr("phr")]);
    expect((await signIn(world, browser, location)).status).toBe(403);
    expect(world.problems.at(-1)).toMatchObject({ reason: "step_up_unmet" });
    entra.behave([behaviorOfTenant("tenant-1"), withAcr("phr")]);
    expect((await signIn(world, browser, location)).location).toBe(`${world.baseURL}/admin`);
  });

  test("is not finished by another connection which the user chooses [MX-079]", async () => {
    const { world, browser, location } = await proving();
    const stepUp = new URL(location).searchParams.get("stepUp") ?? "";
    const chosen = await post(browser, page, { connection: "default", stepUp }, inTab);
    expect(providerOf(world, chosen)).toBe("globex");
    const plain = await post(browser, page, { connection: "default" }, inTab);
    expect(providerOf(world, plain)).toBe("default");
  });

  test("has no owner if the user is signed out: any user may sign in [MX-079]", async () => {
    const { world, browser, location } = await proving();
    await browser.request("/api/auth/logout");
    const query = new URL(location).search;
    const finished = await signIn(world, browser, `/api/auth/login/default${query}`);
    // The provider does not prove what the page demands.
    expect(finished.status).toBe(403);
    world.first.behave(withAcr("phr"));
    const better = await signIn(world, browser, `/api/auth/login/default${query}`);
    expect(better.location).toBe(`${world.baseURL}/admin`);
  });
});
