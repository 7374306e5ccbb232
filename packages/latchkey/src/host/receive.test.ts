import { describe, expect, test } from "vitest";

import { failingStore } from "../../test/failing-store.ts";
import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Store } from "../stores/store.ts";
import { createContext } from "./create-context.ts";
import { receive } from "./receive.ts";
import { createRouteTable } from "./route-table.ts";

function world(store: Store | null = null) {
  const config = readConfig(
    { ...goodSettings, publicPaths: ["/public/", "/"] },
    { hasStore: store !== null },
  );
  const context = createContext(config, { store, log: () => undefined });
  return {
    context,
    receive(request: Partial<HostRequest>) {
      const target = request.target ?? "/";
      return receive(context, createRouteTable(context), {
        method: "GET",
        url: goodSettings.baseURL + target,
        target,
        headers: new Headers(),
        body: async () => null,
        ...request,
      });
    },
  };
}

describe("a request that a middleware has rewritten before us", () => {
  test.each([
    ["/public/a", "/public/b", true],
    ["/public/a", "/private", false],
    ["/public/a", "/public/../private", false],
    ["/public/a", "no target", false],
    ["/private", "/public/a", false],
  ])(
    "from %s to %s, it passes without a sign-in: %s",
    async (target, rewrittenTarget, hasPassed) => {
      expect("passage" in (await world().receive({ target, rewrittenTarget }))).toBe(hasPassed);
    },
  );
});

test("a public page stays open where the store cannot be asked; whoever asks there is told", async () => {
  const store = failingStore(memoryStore());
  const { context, receive: received } = world(store);
  const facts = { sub: "ada", sid: undefined, started: Date.now() };
  const { setCookies } = await context.sessions.create({ user: { sub: "ada" } }, facts, {});
  store.fail(true);
  const cookie = setCookies.map((line) => line.split(";", 1)[0]).join("; ");
  const outcome = await received({ headers: new Headers({ cookie }) });
  if ("response" in outcome) throw new Error(`the page is closed: ${outcome.response.status}`);
  expect(() => outcome.passage.auth.session).toThrow("does not answer");
});

test.each([
  ["of ours", { target: "/api/auth/unknown" }],
  ["to a page without a sign-in", { target: "/private" }],
  ["to a target that nobody can read", { target: "/a b" }],
])("no cache keeps our response to a request %s", async (_, request) => {
  const outcome = await world().receive(request);
  const headers = "response" in outcome ? outcome.response.headers : [];
  expect(new Map(headers).get("Cache-Control")).toMatch(/^(private, )?no-store$/);
});
