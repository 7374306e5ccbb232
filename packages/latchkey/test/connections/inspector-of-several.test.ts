import { parse } from "node-html-parser";
import { expect, test } from "vitest";

import { askApp, askLogin, loginOf } from "../../src/cli/doctor/app/ask-app.ts";
import { readConfig } from "../../src/config/config.ts";
import { inspector } from "../../src/inspector/index.ts";
import type { Browser } from "../browser/browser.ts";
import { signIn, startTwoProviders } from "./two-providers.ts";

/** The sign-ins on the page of the inspector, newest first. */
async function signInsOf(browser: Browser) {
  const { text } = await browser.request("/api/auth/inspector");
  return parse(text)
    .querySelectorAll(".sign-in")
    .map((entry) => ({
      about: entry.querySelector("summary small")?.text ?? "",
      result: entry.querySelector("h2 span")?.text ?? "",
      text: entry.text,
    }));
}

test("the inspector shows the sign-ins of every connection, and names it [MX-101]", async () => {
  const world = await startTwoProviders({ options: { inspector } });
  const browser = world.browser();
  await signIn(world, browser, "/api/auth/login/globex");
  await signIn(world, world.browser(), "/api/auth/login/default");
  const [ofDefault, ofGlobex, ...others] = await signInsOf(browser);
  expect(others).toEqual([]);
  expect(ofGlobex?.result).toBe("✓ Signed in");
  expect(ofGlobex?.about).toMatch(/^globex · /);
  expect(ofGlobex?.text).toContain(`of ${world.second.issuer}`);
  expect(ofGlobex?.text).toContain("Login request");
  expect(ofDefault?.about).toMatch(/^default · /);
});

test("the inspector names the connection of a response that came to another one [MX-033]", async () => {
  const world = await startTwoProviders({ options: { inspector } });
  const browser = world.browser();
  const { location } = await browser.request("/api/auth/login/globex");
  const state = new URL(location ?? "").searchParams.get("state");
  await browser.request(`/api/auth/callback?code=c&state=${state}`);
  const [failed] = await signInsOf(browser);
  expect(failed?.result).toBe("✗ Failed");
  expect(failed?.text).toContain("connection_mismatch");
  expect(failed?.text).toContain("globex at ");
});

test("the doctor puts no sign-in on the list of the inspector, so it pushes none off", async () => {
  const world = await startTwoProviders({ options: { inspector } });
  const browser = world.browser();
  await signIn(world, browser, "/api/auth/login/globex");
  const { issuerBaseURL, clientID, clientSecret, secret, identity, connections } = world.options;
  const settings = { baseURL: world.baseURL, issuerBaseURL, clientID, clientSecret, secret };
  const config = readConfig({ ...settings, identity, connections }, { hasStore: true });
  const answers = await askApp(config, world.baseURL, fetch);
  const ofGlobex = await askLogin(config, world.baseURL + loginOf(config, "globex"), fetch);
  const statuses = [...answers.logins, answers.wide, ofGlobex, ...answers.returns].map((each) =>
    "status" in each ? each.status : each.message,
  );
  expect(statuses).toEqual([302, 302, 302, 302, ...Array.from({ length: 8 }, () => 400)]);
  expect((await signInsOf(browser)).map(({ result }) => result)).toEqual(["✓ Signed in"]);
});
