import { expect, test } from "vitest";

import { isOneSite } from "../../test/second-site.ts";
import { createQuickApp, type QuickRequest } from "../../test/worlds/quick-app.ts";

/** Returns the address to which login sends a browser that opened it at this host. */
async function ledTo(host: string, { production = false, query = "", ...init }: Login = {}) {
  const app = createQuickApp({ production });
  const answer = await app.ask(`/api/auth/login${query}`, { ...init, headers: { host } });
  return answer.headers.get("location") ?? "";
}

interface Login extends QuickRequest {
  readonly production?: boolean;
  readonly query?: string;
}

const provider = "https://op.example/authorize?";

test.runIf(isOneSite)(
  "a login at another host is redirected to the base URL first, with its whole query",
  async () => {
    expect(await ledTo("127.0.0.1:3000", { query: "?returnTo=%2Fx&prompt=select_account" })).toBe(
      "http://localhost:3000/api/auth/login?returnTo=%2Fx&prompt=select_account&at=base-url",
    );
  },
);

test.runIf(isOneSite).each<[string, string, Login]>([
  ["at the base URL", "localhost:3000", {}],
  ["that went there before", "127.0.0.1:3000", { query: "?at=base-url" }],
  ["in production", "127.0.0.1:3000", { production: true }],
  ["that is posted", "127.0.0.1:3000", { method: "POST", body: new URLSearchParams() }],
])("a login %s is sent to the provider", async (_, host, init) => {
  expect((await ledTo(host, init)).slice(0, provider.length)).toBe(provider);
});
