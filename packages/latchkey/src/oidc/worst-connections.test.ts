import { expect, test } from "vitest";

import { configOf, goodSettings } from "../../test/settings.ts";
import { metadataOf } from "../../test/worlds/quick-provider.ts";
import { quietProviderDeps } from "../../test/worlds/quiet-provider-deps.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import { createConnections } from "./connections.ts";
import { worstConnections } from "./worst-connections.ts";

/** An app with the connection `default` and so many customers, whose providers have one key set. */
function world(customers: number) {
  let now = 1_800_000_000_000;
  const calls: string[] = [];
  const events: LogEvent[] = [];
  const documents = new Map<string, () => Response>();
  const names = Array.from({ length: customers }, (_, nth) => `customer-${nth}`);
  const more = names.map((name) => {
    const issuerBaseURL = `https://${name}.example`;
    return [name, { issuerBaseURL, clientID: "app", clientSecret: "a client secret" }] as const;
  });
  const connections = createConnections(
    configOf({ identity: "issuer+sub", connections: Object.fromEntries(more) }).connections,
    {
      ...quietProviderDeps,
      log: (event) => void events.push(event),
      clock: () => now,
      async fetch(address) {
        calls.push(address);
        const { hostname, origin, pathname } = new URL(address);
        const [name = ""] = hostname.split(".");
        const bad = documents.get(name);
        if (bad !== undefined) return bad();
        const isKeys = !pathname.endsWith("/openid-configuration");
        return Response.json(isKeys ? { keys: [] } : metadataOf(origin));
      },
    },
  );
  return {
    calls,
    connections,
    documents,
    events,
    advance: (ms: number) => void (now += ms),
    async warmUp(name: string) {
      await (await connections.byID(name))?.issuer.warmUp();
    },
  };
}

const failed = () => new Response("", { status: 500 });

test("an app with one connection lists none", () => {
  expect(worstConnections(world(0).connections)).toEqual([]);
});

test("connections that are not used yet are listed as in the settings, without any call [MX-063]", () => {
  const { connections, calls } = world(2);
  const unused = { state: "up", metadataAgeMs: null, keysAgeMs: null };
  expect(worstConnections(connections)).toEqual([
    { connection: "default", issuer: goodSettings.issuerBaseURL, ...unused },
    { connection: "customer-0", issuer: "https://customer-0.example", ...unused },
    { connection: "customer-1", issuer: "https://customer-1.example", ...unused },
  ]);
  expect(calls).toEqual([]);
});

test("of sixty connections that fail, the fifty that have failed for longest are listed [MX-063]", async () => {
  const { connections, documents, advance, calls, warmUp } = world(100);
  const failing = Array.from({ length: 60 }, (_, nth) => `customer-${99 - nth}`);
  for (const name of failing) {
    documents.set(name, failed);
    // oxlint-disable-next-line no-await-in-loop -- one fails after the other
    await warmUp(name);
    advance(1000);
  }
  calls.length = 0;
  const listed = worstConnections(connections);
  expect(listed.map(({ connection }) => connection)).toEqual(failing.slice(0, 50));
  expect(listed[0]).toMatchObject({ state: "down", reason: "provider_failed", downMs: 60_000 });
  expect(calls).toEqual([]);
});

test.each([
  ["metadata that are no JSON", () => new Response("<html>"), "metadata_invalid"],
  [
    "metadata of another issuer",
    () => Response.json(metadataOf("https://b.example")),
    "issuer_mismatch",
  ],
])(
  "a provider whose first document is %s fails until a good one comes, and the log says both",
  async (_, document, reason) => {
    const { connections, documents, events, advance, warmUp } = world(1);
    documents.set("customer-0", document);
    await warmUp("customer-0");
    expect(worstConnections(connections)[0]).toMatchObject({
      connection: "customer-0",
      state: "down",
      reason,
    });
    documents.clear();
    advance(2000);
    await warmUp("customer-0");
    expect(worstConnections(connections)[1]).toMatchObject({
      connection: "customer-0",
      state: "up",
    });
    const issuer = "https://customer-0.example";
    expect(events).toMatchObject([
      { event: "provider-state", state: "down", issuer, reason },
      { event: "provider-state", state: "up", issuer, durationMs: 2000 },
    ]);
  },
);
