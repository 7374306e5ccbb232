import { pages } from "@latchkey/pages";
import { expect, test } from "vitest";

import { lookUp } from "../../src/connections/index.ts";
import { post } from "./chooser-page.ts";
import { begin, signIn, startTwoProviders } from "./two-providers.ts";

const inEnglish = { headers: { "sec-fetch-dest": "document", accept: "text/html" } };

test("the pages of a package choose, name the connection of a session, and of a refusal [MX-066]", async () => {
  const options = { pages: pages({ name: "Harbour" }), renderProblem: undefined };
  const world = await startTwoProviders({ options, globex: { label: "Globex" } });
  const browser = world.browser();
  const shown = await browser.request("/_auth/sign-in", inEnglish);
  expect(shown.text).toContain("Sign in with Globex");
  expect(shown.text).not.toContain("signs you in with");
  expect(shown.headers.get("content-security-policy")).toContain(world.second.issuer);
  await signIn(world, browser, "/api/auth/login/globex");
  const account = await browser.request("/_auth/account", inEnglish);
  expect(account.text).toContain("These details come from Globex.");
  await world.second.close();
  world.serve({});
  const down = await world.browser().request("/api/auth/login/globex", inEnglish);
  expect(down.text).toContain("We can&#x27;t reach Globex");
  expect(down.text).toContain("Sign in another way");
});

test("the pages of a package say whose fault a failed look-up is, and lead on [MX-042]", async () => {
  const options = { pages: pages({ name: "Harbour" }), renderProblem: undefined };
  const world = await startTwoProviders({ options });
  const byID = () => Promise.reject(new Error("the database is down"));
  world.serve({ connections: lookUp({ byID, byDomain: () => "acme" }) });
  const browser = world.browser();
  const atLogin = await browser.request("/api/auth/login/acme", inEnglish);
  const email = { email: "ada@acme.example" };
  const atChoice = await post(browser, "/_auth/sign-in", email);
  for (const { status, text } of [atLogin, atChoice]) {
    expect(status).toBe(503);
    expect(text).toContain("<h1>Something went wrong on our side</h1>");
    expect(text).toContain('href="">Try again</a>');
    expect(text).toContain('/_auth/sign-in">Sign in another way</a>');
    expect(text).not.toMatch(/is busy|your changes/);
  }
});

test("the page for developers names the causes of a response at the address of another connection", async () => {
  const options = { pages: pages({ name: "Harbour" }), renderProblem: undefined };
  const world = await startTwoProviders({ options });
  const browser = world.browser();
  const { returned } = await begin(world, browser, "/api/auth/login/globex");
  const { search } = new URL(returned.url);
  const { text } = await browser.request(`/api/auth/callback${search}`, inEnglish);
  const [, box = ""] = text.split('<section class="developer"');
  const [what = "", causes = ""] = box.split(/Likely causes, in order:|<\/ol>/);
  expect(what).toContain("started for another connection or host, globex");
  expect(causes).toMatch(/^<\/p><ol><li>A provider has the redirect URI of another connection/);
  expect(causes).not.toContain("cookie");
});

test("account, devices, activity and session.json name the connection of a sign-in [MX-049]", async () => {
  const options = {
    pages: pages({ name: "Harbour" }),
    renderProblem: undefined,
    activity: true,
    session: { stateful: true },
  };
  const world = await startTwoProviders({ options, globex: { label: "Globex" } });
  world.second.behave([
    {
      idToken: {
        claims: (claims) => ({ ...claims, org_id: "org_1", org_name: "Analytical Engines" }),
      },
    },
  ]);
  const browser = world.browser();
  await signIn(world, browser, "/api/auth/login/globex");
  const open = async (path: string) => (await browser.request(path, inEnglish)).text;
  const account = await open("/_auth/account");
  expect(account).toContain("Analytical Engines. You signed in with Globex.");
  expect(account).toContain("Use another organization");
  expect(account).toContain('<span class="unseen">Organization:</span> Analytical Engines');
  expect(account).toContain("Analytical Engines · Globex");
  expect(account).not.toContain("org_1</");
  const devices = await open("/_auth/devices");
  const [list = "", activity = ""] = devices.split('aria-labelledby="activity"');
  expect(list).toContain("with Globex");
  expect(activity).toContain("with Globex");
  const session: unknown = JSON.parse(await open("/_auth/session.json"));
  expect(session).toMatchObject({ connection: "globex", label: "Globex" });
});
