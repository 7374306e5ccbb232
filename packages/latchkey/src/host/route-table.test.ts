import { describe, expect, test } from "vitest";

import { configOf, faultsBy } from "../../test/settings.ts";
import { createQuickApp } from "../../test/worlds/quick-app.ts";
import type { DeviceBinding } from "../session/device-binding.ts";
import { memoryStore } from "../stores/memory.ts";
import { createRouteTable } from "./route-table.ts";

const app = createQuickApp({
  store: memoryStore(),
  backchannelLogout: true,
  frontchannelLogout: true,
  streams: 1,
});
const jar = await app.signIn();
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

test.each([
  ["/api/auth/login", "GET, HEAD, POST"],
  ["/api/auth/callback", "GET, HEAD"],
  ["/api/auth/logout", "GET, HEAD, POST"],
  ["/api/auth/me", "GET, HEAD"],
  ["/api/auth/session.json", "GET, HEAD"],
  ["/api/auth/backchannel-logout", "POST"],
  ["/api/auth/frontchannel-logout", "GET, HEAD"],
  ["/api/auth/refused", "GET, HEAD"],
  ["/_auth/session.json", "GET, HEAD"],
  ["/_auth/brand.css", "GET, HEAD"],
  ["/_auth/session-events", "GET"],
  ["/_auth/signed-out", "GET, HEAD"],
  ["/_auth/form", "GET, HEAD"],
])(
  "%s takes %s, and any other method gets 405 and has no effect [STD-097]",
  async (path, allowed) => {
    const others = methods.filter((method) => !allowed.split(", ").includes(method));
    for (const method of others) {
      const { status, headers } = await app.ask(path, { method, jar });
      expect([method, status, headers.get("allow")]).toEqual([method, 405, allowed]);
      expect([headers.get("cache-control"), headers.getSetCookie()]).toEqual(["no-store", []]);
    }
  },
);

const device = {} as DeviceBinding;
const { login } = configOf({}).routes;
const paths = [...createRouteTable({ config: configOf({}), reader: { device } }).keys()];

test.each(paths.filter((path) => path !== login))("login cannot have the path %s", (path) => {
  expect(faultsBy({ routes: { login: path } })).toEqual([
    "routes.login: is the path of another route",
  ]);
});

test("brand.css has the accent of the pages for the components, and needs no session", async () => {
  const response = await app.ask("/_auth/brand.css", {});
  expect(response.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("public, max-age=300");
  expect(await response.text()).toContain("--lk-accent: light-dark(#0b6e5f, #4cc9ae);");
});

describe.each([
  { method: "HEAD" },
  { headers: { "sec-purpose": "prefetch;prerender" } },
  { headers: { purpose: "prefetch" } },
  { headers: { "x-moz": "prefetch" } },
  { headers: { "next-router-prefetch": "1" } },
])("a request with %j gets 204 and has no effect", (init) => {
  test.each(["login", "logout", "callback"])("on %s", async (route) => {
    const begun = await app.begin("", await app.signIn());
    const query = new URLSearchParams({ code: begun.code, state: begun.state }).toString();
    const { status, headers } = await app.ask(`/api/auth/${route}?${query}`, {
      ...init,
      jar: begun.jar,
    });
    expect([status, headers.get("location"), headers.getSetCookie()]).toEqual([204, null, []]);
    expect(headers.get("cache-control")).toBe("no-store");
    expect((await app.ask("/api/auth/me", { jar: begun.jar })).status).toBe(200);
    expect((await app.finish(begun)).status).toBe(302);
  });
});
