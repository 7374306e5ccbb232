import { expect, test } from "vitest";

import { isSignedIn } from "../browser/browser.ts";
import { buttonsOf, byScript, fieldsOf, finish, inTab, page, press } from "./chooser-page.ts";
import { arrive, begin, callsTo, settingsAt, signIn, startTwoProviders } from "./two-providers.ts";

const globex = "/api/auth/login/globex";
const html = { ...inTab, accept: "text/html" };
const words = "You can't sign in the way you did before. Choose another way.";

/** Settings with `acme` in the place of `globex`. */
const others = (second: Parameters<typeof settingsAt>[0]) => ({
  connections: { acme: { ...settingsAt(second), clientID: "acme-client" } },
});

test("a session of a removed connection is led to the other ways, with its destination, and stays for other instances [MX-055, MX-041]", async () => {
  const world = await startTwoProviders();
  const browser = world.browser();
  await signIn(world, browser, globex);
  const before = await browser.cookies();
  world.serve(others(world.second));
  const led = await browser.request("/reports?year=2026", { headers: html });
  expect(led.location).toBe(
    `${world.baseURL}${page}?notice=removed&returnTo=%2Freports%3Fyear%3D2026`,
  );
  const shown = await browser.request(led.location, { headers: html });
  expect(shown.text).toContain(words);
  expect(buttonsOf(shown)).toEqual(["default*", "acme"]);
  expect(await browser.request("/", { headers: byScript })).toMatchObject({ status: 401 });
  expect(await browser.cookies()).toBe(before);
  const chosen = await press(browser, shown, "default");
  const finished = await finish(world, browser, chosen);
  expect(finished.location).toBe(`${world.baseURL}/reports?year=2026`);
});

test("a response for a removed connection leads to the other ways, calls no provider, and its pending login stays [MX-055]", async () => {
  const world = await startTwoProviders();
  const browser = world.browser();
  const { returned } = await begin(world, browser, `${globex}?returnTo=/reports`);
  world.serve(others(world.second));
  const calls = [callsTo(world.first), callsTo(world.second)];
  const refused = await arrive(browser, returned);
  expect(refused.status).toBe(400);
  const next = refused.headers.get("refresh")?.replace("0; url=", "") ?? "";
  const returnTo = `${world.baseURL}/reports`;
  expect(next).toBe(
    `${world.baseURL}${page}?notice=removed&returnTo=${encodeURIComponent(returnTo)}`,
  );
  expect(fieldsOf(await browser.request(next, { headers: html }))).toEqual({ returnTo });
  expect([callsTo(world.first), callsTo(world.second)]).toEqual(calls);
  world.serve({});
  expect((await arrive(browser, returned)).location).toBe(returnTo);
});

test("a response at an unknown address is a page not found without its pending login [MX-034, MX-055]", async () => {
  const world = await startTwoProviders();
  const browser = world.browser();
  const { returned } = await begin(world, browser, globex);
  world.serve(others(world.second));
  const stranger = world.browser();
  expect((await arrive(stranger, returned)).status).toBe(404);
  const other = new URL(returned.url);
  other.searchParams.set("state", "another");
  expect((await arrive(browser, { ...returned, url: other.href })).status).toBe(404);
  const known = await begin(world, browser, "/api/auth/login/default");
  expect((await arrive(browser, known.returned, "/api/auth/callback/globex")).status).toBe(404);
  expect((await arrive(browser, known.returned)).status).toBe(302);
});

test("a pending login of a removed connection that used another client starts again at the other ways [MX-055]", async () => {
  const more = { beta: { uses: "default", organization: "org_beta" } };
  const world = await startTwoProviders({ more });
  const browser = world.browser();
  const { returned } = await begin(world, browser, "/api/auth/login/beta?returnTo=/beta");
  const calls = callsTo(world.first);
  world.serve({ connections: { globex: settingsAt(world.second) } });
  const refused = await arrive(browser, returned);
  expect(refused.status).toBe(400);
  expect(refused.headers.get("refresh")).toContain(`${page}?notice=removed&returnTo=`);
  expect(callsTo(world.first)).toEqual(calls);
});

test("a login link after the removal says why the user chooses [MX-055]", async () => {
  const world = await startTwoProviders();
  const browser = world.browser();
  await signIn(world, browser, globex);
  world.serve(others(world.second));
  const led = await browser.request("/api/auth/login?returnTo=/a", { headers: html });
  expect(led.location).toBe(`${world.baseURL}${page}?notice=removed&returnTo=%2Fa`);
});

test("an app that is left with one connection leads to it [MX-055]", async () => {
  const world = await startTwoProviders();
  const browser = world.browser();
  await signIn(world, browser, globex);
  const { returned } = await begin(world, browser, globex);
  world.serve({ connections: {} });
  const led = await browser.request("/reports", { headers: html });
  expect(led.location).toBe(`${world.baseURL}/api/auth/login?returnTo=%2Freports`);
  const refused = await arrive(browser, returned);
  expect(refused.headers.get("refresh")).toContain(`/api/auth/login?returnTo=`);
});

test.each([true, false])(
  "a session that ended with its connection is led to all ways, not to the former one (stateful: %s) [MX-055, MX-012]",
  async (stateful) => {
    const world = await startTwoProviders({
      globex: { label: "Globex" },
      options: { session: { stateful } },
    });
    const browser = world.browser();
    await signIn(world, browser, globex);
    world.advance(1);
    await world.auth.endConnection("globex", { operator: "grace" });
    const led = await browser.request("/reports", { headers: html });
    expect(led.location).toBe(`${world.baseURL}${page}?returnTo=%2Freports`);
    expect(await isSignedIn(browser)).toBe(false);
  },
);
