/** The `proxy.ts` of Next brings tokens for the connection of the user. */
import { expect, test } from "vitest";

import { createProxy } from "../../src/adapters/next/proxy.ts";
import { lookUp } from "../../src/connections/index.ts";
import {
  settingsAt,
  signedIn,
  startTwoProviders,
  type TwoProviders,
  type TwoProvidersSettings,
} from "./two-providers.ts";

const orders = "https://orders.example";
const bills = "https://bills.example";

/** The APIs of which a provider was asked for a token when a page was opened. */
async function requestedFor(two: TwoProviders, id: string) {
  const browser = await signedIn(two, `/api/auth/login/${id}`);
  const provider = id === "default" ? two.first : two.second;
  const before = provider.requests.length;
  const headers = { cookie: await browser.cookies() };
  const proxy = createProxy(two.auth, () => undefined);
  await proxy(new Request(`${two.baseURL}/orders`, { headers }));
  return provider.requests
    .slice(before)
    .map(({ form }) => form.getAll("resource"))
    .flat();
}

const listed: TwoProvidersSettings = {
  options: { resources: [orders] },
  globex: { resources: [bills] },
};

test.each([
  ["default", [orders]],
  ["globex", [bills]],
])("a page gets the tokens for the APIs of the connection %s", async (id, resources) => {
  expect(await requestedFor(await startTwoProviders(listed), id)).toEqual(resources);
});

test("a page gets the tokens for the APIs of a connection that is looked up", async () => {
  const two = await startTwoProviders({ options: { resources: [orders] } });
  const byID = () => ({ ...settingsAt(two.second), resources: [bills] });
  two.serve({ connections: lookUp({ byID, issuers: () => true }) });
  expect(await requestedFor(two, "acme")).toEqual([bills]);
});
