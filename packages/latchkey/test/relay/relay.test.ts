import { startProvider } from "@latchkey/provider";
import { expect, test } from "vitest";

import { atEnd } from "../at-end.ts";
import { createBrowser } from "../browser/browser.ts";
import { edgeOf } from "./edge.ts";
import { startRelayApp } from "./start-relay-app.ts";

const relaySecret = "a-relay-secret-of-the-tests-0123456789";
const production = "https://shop.example";

interface Names {
  readonly preview: string;
  readonly pattern: string;
}

/** Production and a preview, each a process behind its https host, with one client. */
async function startShop({ preview, pattern }: Names, form: { readonly form?: true } = {}) {
  const provider = await startProvider({ appURL: production });
  atEnd(() => provider.close());
  const [client] = provider.clients;
  const options = {
    issuerBaseURL: provider.issuer,
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
    ...(form.form ? { responseMode: "form_post" as const } : {}),
  };
  const [relay, app] = await Promise.all([
    startRelayApp({
      baseURL: production,
      options: { ...options, secret: "the-secret-of-production-0123456789" },
      relay: { secret: relaySecret, origins: [pattern] },
    }),
    startRelayApp({
      baseURL: preview,
      options: { ...options, secret: "the-secret-of-the-preview-0123456789" },
      relay: { secret: relaySecret, url: production },
    }),
  ]);
  const edge = edgeOf({ [production]: relay.origin, [preview]: app.origin });
  return { provider, relay, app, browser: () => createBrowser(preview, edge) };
}

const names = {
  preview: "https://deploy-preview-7--shop.netlify.app",
  pattern: "https://*--shop.netlify.app",
};

test("MX-081 MX-086: a preview signs in by the redirect URI of production", async () => {
  const { relay, app, browser, provider } = await startShop(names);
  const before = await relay.facts();
  const here = browser();
  const request = await here.untilCallback("/api/auth/login?returnTo=/orders");
  expect(request.address).toMatch(/^https:\/\/shop\.example\/api\/auth\/callback\?/);
  const relayed = await here.request(request.address);
  expect([relayed.status, relayed.headers.get("cache-control")]).toEqual([303, "no-store"]);
  expect(relayed.headers.getSetCookie()).toEqual([]);
  const [sent, received] = [new URL(request.address), new URL(relayed.location)];
  expect(received.origin + received.pathname).toBe(`${names.preview}/api/auth/callback`);
  expect([...received.searchParams]).toEqual([...sent.searchParams]);
  const after = await relay.facts();
  expect(after.storeOperations).toBe(before.storeOperations);
  expect(after.calls).toEqual(before.calls);

  const page = await here.open(relayed.location);
  expect([page.url.href, page.text]).toEqual([`${names.preview}/orders`, "a page of the app"]);
  const [exchange] = provider.requests.filter(({ path }) => path === "/token");
  expect(exchange?.status).toBe(200);
  expect((await app.facts()).calls).toContain("/token");
});
