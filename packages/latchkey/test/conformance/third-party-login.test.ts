import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type HostileWorld, startHostileWorld } from "./hostile-world.ts";
import { logsStayQuiet } from "./quiet-logs.ts";

let world: HostileWorld;
beforeAll(async () => {
  world = await startHostileWorld();
});
afterAll(() => world.close());

describe("a login that another site starts", () => {
  const iss = () => `iss=${encodeURIComponent(world.provider.issuer)}`;

  test("goes on where the issuer is ours, by GET and by POST, with its hint [CERT-048, STD-019]", async () => {
    world.setUp();
    const query = `${iss()}&login_hint=hedwig%40example.com&unknown=1`;
    const get = await world.browser().request(`/api/auth/login?${query}`);
    const post = await world
      .browser()
      .request("/api/auth/login", { method: "POST", body: new URLSearchParams(query) });
    expect([get.status, post.status]).toEqual([302, 303]);
    for (const { location } of [get, post]) {
      const { origin, searchParams } = new URL(location);
      expect(origin).toBe(world.provider.url);
      expect(searchParams.get("login_hint")).toBe("hedwig@example.com");
      expect(searchParams.has("unknown")).toBe(false);
    }
  });

  test.each(["https://evil.example", "", "javascript:alert(1)", "/"])(
    "is refused where the issuer is not ours: %j; nothing is fetched [CERT-048, STD-019, ATK-113]",
    async (issuer) => {
      world.setUp();
      world.provider.resetLog();
      const answer = await world
        .browser()
        .request(`/api/auth/login?iss=${encodeURIComponent(issuer)}`);
      expect([answer.status, answer.location]).toEqual([400, ""]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(world.provider.requests).toEqual([]);
    },
  );

  test("is refused where the issuer is ours but for a slash [STD-019, STD-005]", async () => {
    world.setUp();
    const answer = await world.browser().request(`/api/auth/login?${iss()}%2F`);
    expect(answer.status).toBe(400);
  });

  test("may name a page of ours to land on, and no other; it sets no scope [STD-019, ATK-055]", async () => {
    world.setUp();
    for (const [target, landing] of [
      [`${world.baseURL}/reports?x=1`, `${world.baseURL}/reports?x=1`],
      ["https://evil.example/", `${world.baseURL}/`],
    ] as const) {
      const browser = world.browser();
      const query = `${iss()}&target_link_uri=${encodeURIComponent(target)}&scope=admin`;
      const login = await browser.request(`/api/auth/login?${query}`);
      expect(new URL(login.location).searchParams.get("scope")).toBe("openid profile email");
      const returned = await world.provider.visit(login.location);
      expect((await browser.request(returned?.url ?? "")).location).toBe(landing);
    }
  });
});

logsStayQuiet(() => world);
