import { pages } from "@latchkey/pages";
import { expect, test } from "vitest";

import { signIn, startTwoProviders } from "./two-providers.ts";

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
