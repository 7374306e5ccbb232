import { describe, expect, test } from "vitest";

import {
  buttonsOf,
  byScript,
  callsOf,
  fieldsOf,
  finish,
  inTab,
  page,
  post,
  press,
  providerOf,
} from "./chooser-page.ts";
import { callsTo, settingsAt, signIn, startTwoProviders } from "./two-providers.ts";

test("a login without a connection leads to the ways to sign in, and the chosen one begins [MX-066, MX-067]", async () => {
  const world = await startTwoProviders({ globex: { label: "Globex" } });
  const browser = world.browser();
  const login = await browser.request("/api/auth/login?returnTo=/reports%3Fyear%3D2026");
  expect(login).toMatchObject({ status: 302 });
  expect(login.location).toBe(`${world.baseURL}${page}?returnTo=%2Freports%3Fyear%3D2026`);
  const shown = await browser.request(login.location, { headers: inTab });
  expect(shown).toMatchObject({ status: 200 });
  expect(buttonsOf(shown)).toEqual(["default*", "globex"]);
  expect(shown.text).toContain("Sign in with Globex");
  expect(shown.text).not.toContain("<script");
  const chosen = await press(browser, shown, "globex");
  expect(providerOf(world, chosen)).toBe("globex");
  expect(await finish(world, browser, chosen)).toMatchObject({
    location: `${world.baseURL}/reports?year=2026`,
  });
});

test("after a posted form the browser goes on by itself, not by a redirect [MX-066]", async () => {
  const world = await startTwoProviders();
  const browser = world.browser();
  const chosen = await post(browser, page, { connection: "globex" }, inTab);
  expect([chosen.status, providerOf(world, chosen)]).toEqual([200, "globex"]);
});

test("a guarded page leads to the ways to sign in, and back to itself [MX-067]", async () => {
  const world = await startTwoProviders();
  const browser = world.browser();
  const shown = await browser.open("/reports?year=2026", { headers: inTab });
  expect(shown.url.pathname).toBe(page);
  expect(fieldsOf(shown)).toEqual({ returnTo: "/reports?year=2026" });
});

test("hidden connections and those of other hosts are absent [MX-066]", async () => {
  const world = await startTwoProviders({ globex: { hidden: true } });
  const other = settingsAt(world.second);
  world.serve({
    connections: {
      globex: { ...other, hidden: true },
      elsewhere: { ...other, clientID: "two", hosts: ["other.example.com"] },
      here: { ...other, clientID: "three", hosts: [new URL(world.baseURL).host] },
    },
  });
  expect(buttonsOf(await world.browser().request(page))).toEqual(["default*", "here"]);
});

test("without any way to sign in here a page says so, for now, and nothing is begun [MX-066]", async () => {
  const world = await startTwoProviders({ globex: { hidden: true } });
  world.serve({ hidden: true });
  const calls = callsOf(world);
  for (const address of [page, "/api/auth/login?returnTo=/reports", "/reports"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await world.browser().open(address, { headers: inTab });
    expect(answer.status).toBe(503);
    expect(answer.headers.has("retry-after")).toBe(true);
    expect(answer.text).toContain("<h1>There's no way to sign in here yet</h1>");
    const problem = { kind: "no-way", reason: "connection_unavailable" };
    expect(world.problems.at(-1)).toMatchObject(problem);
  }
  expect(callsOf(world)).toBe(calls);
});

test("one way alone needs no page: the sign-in begins at once [MX-067]", async () => {
  const world = await startTwoProviders({ globex: { hidden: true } });
  const browser = world.browser();
  const fields = "returnTo=%2Freports&shared=1";
  const led = await browser.request(`${page}?${fields}`, { headers: inTab });
  expect(led.location).toBe(`${world.baseURL}/api/auth/login/default?${fields}`);
  expect(providerOf(world, await browser.request("/api/auth/login"))).toBe("default");
});

test("what has chosen a connection is not logged as a parameter that login ignored", async () => {
  const world = await startTwoProviders({ globex: { domains: ["globex.example"] } });
  const browser = world.browser();
  await post(browser, page, { connection: "globex", email: "" });
  await post(browser, page, { email: "ada@globex.example" });
  await browser.request(
    `/api/auth/login/globex?iss=${world.second.issuer}&client_id=globex-client`,
  );
  await browser.request("/api/auth/login/globex?tab=2");
  const messages = world.events.flatMap((each) => (each.event === "warning" ? each.message : []));
  expect(messages.filter((message) => message.startsWith("Login ignored"))).toEqual([
    expect.stringContaining("parameter tab."),
  ]);
});

test("an app with one connection has no page to choose", async () => {
  const world = await startTwoProviders();
  world.serve({ connections: {} });
  const shown = await world.browser().request(page);
  expect(shown.text).toBe(`page ${page}`);
});

test("prefetches, scripts and HEAD start nothing [MX-067]", async () => {
  const world = await startTwoProviders({ globex: { hidden: true } });
  const browser = world.browser();
  const calls = callsOf(world);
  for (const [method, headers] of [
    ["GET", { "sec-purpose": "prefetch" }],
    ["GET", byScript],
    ["HEAD", inTab],
    ["POST", byScript],
  ] as const) {
    const body = method === "POST" ? { body: new URLSearchParams({ connection: "globex" }) } : {};
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await browser.request(page, { method, headers, ...body });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(providerOf(world, answer)).toBe("none");
  }
  expect(callsOf(world)).toBe(calls);
});

test("another site can neither press a button nor send an address [MX-067, MX-069]", async () => {
  const world = await startTwoProviders({ globex: { domains: ["globex.example"] } });
  const browser = world.browser();
  const elsewhere = [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }];
  for (const headers of elsewhere) {
    for (const [address, fields] of [
      [page, { connection: "globex" }],
      [page, { email: "ada@globex.example" }],
      ["/api/auth/login", { email: "ada@globex.example" }],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await post(browser, address, fields, headers);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
  }
});

describe("the connection used last [MX-068]", () => {
  test("comes first after a finished sign-in, and a shared computer keeps none", async () => {
    const world = await startTwoProviders();
    const [alone, shared, other] = [world.browser(), world.browser(), world.browser()];
    await signIn(world, alone, "/api/auth/login/globex");
    await signIn(world, shared, "/api/auth/login/globex?shared=1");
    await other.request("/api/auth/login/globex");
    await alone.request("/api/auth/logout");
    await shared.request("/api/auth/logout");
    const shown = await alone.request(page);
    expect(buttonsOf(shown)).toEqual(["globex*", "default"]);
    expect(shown.text).toContain("You used this last time.");
    for (const browser of [shared, other]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(buttonsOf(await browser.request(page))).toEqual(["default*", "globex"]);
    }
  });

  test("is ignored once it is removed, and if it is forged", async () => {
    const world = await startTwoProviders();
    const browser = world.browser();
    await signIn(world, browser, "/api/auth/login/globex");
    await browser.request("/api/auth/logout");
    world.serve({ connections: { acme: { ...settingsAt(world.second), clientID: "acme" } } });
    expect(buttonsOf(await browser.request(page))).toEqual(["default*", "acme"]);
    const forged = { headers: { cookie: "auth_last=acme" } };
    expect(buttonsOf(await world.browser().request(page, forged))).toEqual(["default*", "acme"]);
  });

  test("is not kept by an app with one connection", async () => {
    const world = await startTwoProviders();
    world.serve({ connections: {} });
    const browser = world.browser();
    await signIn(world, browser, "/api/auth/login");
    expect(await browser.cookies()).not.toContain("auth_last");
  });
});

test("a user who came back without signing in chooses again, with the same destination", async () => {
  const world = await startTwoProviders();
  const browser = world.browser();
  const login = await browser.request("/api/auth/login/globex?returnTo=/reports");
  const state = new URL(login.location).searchParams.get("state") ?? "";
  const query = new URLSearchParams({ state, error: "access_denied", iss: world.second.issuer });
  const back = await browser.request(`/api/auth/callback/globex?${query}`, {
    headers: { ...inTab, accept: "text/html" },
  });
  const led = back.headers.get("refresh")?.replace("0; url=", "") ?? "";
  const returnTo = `${world.baseURL}/reports`;
  expect(led).toBe(
    `${world.baseURL}${page}?notice=cancelled&returnTo=${encodeURIComponent(returnTo)}`,
  );
  const shown = await browser.request(led);
  expect(shown.text).toContain("You came back without signing in.");
  expect(fieldsOf(shown)).toEqual({ returnTo });
});

test("what an address says of a refusal has the words of the settings alone", async () => {
  const world = await startTwoProviders({ globex: { label: "Globex" } });
  const browser = world.browser();
  const refused = await browser.request(`${page}?notice=refused&from=default`);
  expect(buttonsOf(refused)).toEqual(["default", "globex*"]);
  const forged = await browser.request(`${page}?notice=refused&from=%3Cb%3EEvil`);
  expect(forged.text).not.toContain("Evil");
});

test("a button of a connection that is gone shows the others [MX-055]", async () => {
  const world = await startTwoProviders();
  const answer = await post(world.browser(), page, { connection: "acme", returnTo: "/a" });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.text).toContain("You can't sign in the way you did before.");
  expect(buttonsOf(answer)).toEqual(["default*", "globex"]);
});

test("a provider that is down keeps its button, which says so", async () => {
  const world = await startTwoProviders();
  const browser = world.browser();
  await world.first.close();
  await browser.request("/api/auth/login/default");
  const shown = await browser.request(page);
  expect(buttonsOf(shown)).toEqual(["default", "globex*"]);
  expect(shown.text).toContain("Not answering right now.");
  expect(callsTo(world.second)).toEqual([]);
});

test("while no provider answers, the page says so and when to try again, and shows when one is back", async () => {
  const world = await startTwoProviders();
  const fault = { kind: "reset" } as const;
  for (const provider of [world.first, world.second])
    provider.behave({ faults: { metadata: fault, keys: fault } });
  const browser = world.browser();
  for (const id of ["default", "globex"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await browser.request(`/api/auth/login/${id}`)).status).toBe(500);
  }
  const led = await browser.request("/reports", { headers: inTab });
  const chooser = await browser.request(led.location, { headers: inTab });
  const shown = await browser.request(chooser.location, { headers: inTab });
  expect([shown.status, shown.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(shown.text).toContain("None of these is answering right now.");
  expect(buttonsOf(shown)).toEqual(["default*", "globex"]);
  expect(fieldsOf(shown)).toEqual({ returnTo: "/reports" });
  world.second.behave("well");
  world.advance(120);
  const state = async () => {
    const again = await browser.request(chooser.location, { headers: inTab });
    return [again.status, again.headers.get("retry-after"), buttonsOf(again)];
  };
  await expect.poll(state).toEqual([200, null, ["default", "globex*"]]);
});

describe("after the end of a session [MX-076]", () => {
  test("a guarded page leads to its connection, and the ways to sign in name it", async () => {
    const world = await startTwoProviders({ globex: { label: "Globex" } });
    const browser = world.browser();
    await signIn(world, browser, "/api/auth/login/globex");
    world.advance(90_000);
    const shown = await browser.request(page);
    expect(buttonsOf(shown)).toEqual(["globex*", "default"]);
    expect(shown.text).toContain("You were signed in with Globex.");
    const led = await browser.request("/reports", { headers: inTab });
    expect(new URL(led.location).pathname).toBe("/api/auth/login/globex");
    expect(providerOf(world, await browser.request(led.location))).toBe("globex");
  });

  test("a visitor without a session is not guessed: the user chooses", async () => {
    const world = await startTwoProviders();
    const led = await world.browser().request("/reports", { headers: inTab });
    expect(new URL(led.location).pathname).toBe("/api/auth/login");
  });
});

test("a step-up goes to the connection of the session, without a page [MX-067]", async () => {
  const world = await startTwoProviders({
    options: { accessRules: { "/secure/": { maxAge: 60 } } },
  });
  const browser = world.browser();
  await signIn(world, browser, "/api/auth/login/globex");
  world.advance(300);
  const led = await browser.request("/secure/", { headers: inTab });
  expect(providerOf(world, await browser.request(led.location))).toBe("globex");
  const query = new URL(led.location).search;
  const chooser = await browser.request(`${page}${query}`, { headers: inTab });
  expect(new URL(chooser.location).pathname).toBe("/api/auth/login/globex");
});
