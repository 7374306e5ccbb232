import { describe, expect, test } from "vitest";

import { hosts } from "./world/hosts.ts";
import { worldOfDescribe } from "./world/host-world.ts";

const navigation = {
  accept: "text/html",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};
const script = { accept: "*/*", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };

describe.each(hosts)("require() in a handler on $name", (host) => {
  const world = worldOfDescribe({ app: host.app, options: { publicPaths: ["/", "/require-acr"] } });

  test("sends a person who must sign in better to the provider, and back to the page that they asked for [AD-030, GW-049]", async () => {
    const browser = await world().signedIn();
    const refused = await browser.request("/require-acr?tab=2", { headers: navigation });
    const login = new URL(refused.location);
    expect([refused.status, login.pathname, login.searchParams.get("returnTo")]).toEqual([
      302,
      "/api/auth/login",
      "/require-acr?tab=2",
    ]);
    const page = await browser.signIn("/require-acr?tab=2");
    expect([page.url.search, page.text]).toEqual(["?tab=2", "Trusted Ada Okafor"]);
  });

  test("answers a script that must sign in better 401 with the challenge of RFC 9470 [GW-049]", async () => {
    const browser = await world().signedIn();
    const headers = { ...script, cookie: await browser.cookies() };
    const refused = await world().send({ target: "/require-acr", headers });
    expect([refused.status, refused.header("www-authenticate")]).toEqual([
      401,
      'Bearer error="insufficient_user_authentication", error_description="A different authentication of the user is required.", acr_values="mfa phr"',
    ]);
    expect(JSON.parse(refused.body)).toMatchObject({
      error: "insufficient_user_authentication",
      acr_values: "mfa phr",
    });
  });
});
