import { expect, test } from "vitest";

import { configOf, goodSettings } from "../../test/settings.ts";
import { quietProviderDeps } from "../../test/worlds/quiet-provider-deps.ts";
import { type Members, metadataOf } from "../../test/worlds/quick-provider.ts";
import type { ConnectionOptions } from "../config/connection-options.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import { createConnections, warmUp } from "./connections.ts";
import { refreshTokens } from "./token-request.ts";

const { issuerBaseURL } = goodSettings;
const other = "https://id.other.example";
const secondClient = { issuerBaseURL, clientID: "second", clientSecret: "secret-of-second" };
const stranger = { ...secondClient, issuerBaseURL: other };

/** An app with two clients of one provider, and a third elsewhere. */
function world(second: ConnectionOptions = {}, metadata: Members = {}) {
  let now = 1_800_000_000_000;
  let providerAheadMs = 0;
  const calls: string[] = [];
  const events: LogEvent[] = [];
  const failing = new Set<string>();
  const config = configOf({
    identity: "issuer+sub",
    connections: { second: { ...secondClient, ...second }, stranger },
  });
  const connections = createConnections(config.connections, {
    ...quietProviderDeps,
    log: (event) => void events.push(event),
    clock: () => now,
    async fetch(address) {
      calls.push(address);
      const { origin, pathname } = new URL(address);
      if (failing.has(address)) throw new TypeError("refused");
      const headers = { date: new Date(now + providerAheadMs).toUTCString() };
      if (pathname.endsWith("/openid-configuration"))
        return Response.json({ ...metadataOf(origin), ...metadata }, { headers });
      return Response.json({ keys: [] }, { headers });
    },
  });
  const of = (id: string) => {
    const found = connections.all.find((each) => each.id === id);
    if (found === undefined) throw new TypeError(`no connection ${id}`);
    return found;
  };
  return {
    calls,
    connections,
    events,
    failing,
    of,
    runAhead: (ms: number) => void (providerAheadMs = ms),
    advance: (ms: number) => void (now += ms),
  };
}

test("metadata and keys of an issuer are fetched once for all of its clients [MX-060]", async () => {
  const { calls, connections } = world();
  await Promise.all(connections.all.map(({ issuer }) => issuer.warmUp()));
  const metadata = calls.filter((address) => address.endsWith("/openid-configuration"));
  expect(metadata.map((address) => new URL(address).origin).toSorted()).toEqual([
    other,
    issuerBaseURL,
  ]);
  expect(calls).toHaveLength(4);
});

test("a client which the metadata do not fit is refused alone, in any order [MX-060]", async () => {
  for (const order of [
    ["default", "second"],
    ["second", "default"],
  ]) {
    const { of, calls } = world({ idTokenSigningAlg: "HS256" }, { jwks_uri: undefined });
    const outcomes = new Map<string, unknown>();
    for (const id of [...order, ...order]) {
      const { issuer } = of(id);
      outcomes.set(id, await issuer.metadata().catch((error: unknown) => error));
    }
    expect(outcomes.get("default")).toMatchObject({ reason: "metadata_invalid" });
    expect(outcomes.get("second")).toMatchObject({ issuer: issuerBaseURL });
    expect(calls).toHaveLength(1);
  }
});

test("an endpoint that fails for one client is tried for the other [MX-060]", async () => {
  const { of, failing, calls } = world();
  const [first, second] = [of("default"), of("second")];
  const { token_endpoint: endpoint = "" } = await first.issuer.metadata();
  failing.add(endpoint);
  const refresh = (connection: typeof first) =>
    refreshTokens(connection, "rt").catch((error: unknown) => error);
  for (let count = 0; count < 6; count += 1) await refresh(first);
  expect(calls.filter((address) => address === endpoint)).toHaveLength(5);
  await refresh(second);
  expect(calls.filter((address) => address === endpoint)).toHaveLength(6);
  expect(first.refreshLimits).not.toBe(second.refreshLimits);
});

test("the clock of a provider is compared once for all of its clients, and for no other [MX-062]", async () => {
  const { of, runAhead, events } = world();
  runAhead(-300_000);
  await of("second").issuer.metadata();
  expect(of("default").issuer.clockFault()).toContain("300 s ahead");
  expect(of("second").issuer.clockFault()).toContain("300 s ahead");
  expect(of("stranger").issuer.clockFault()).toBeNull();
  expect(events.filter(({ event }) => event === "warning")).toHaveLength(1);
});

test("settings are replaced while a client that stays keeps its state [MX-005]", async () => {
  const { connections, of, calls } = world();
  await of("second").issuer.metadata();
  const former = of("second");
  const next = configOf({
    identity: "issuer+sub",
    connections: {
      second: { ...secondClient, clientSecret: "next-secret", label: "Second" },
      beta: { uses: "second", organization: "org_beta" },
    },
  });
  connections.replace(next.connections);
  expect(connections.all.map(({ id }) => id)).toEqual(["default", "second", "beta"]);
  expect(connections.byID("stranger")).toBeNull();
  expect(of("second")).toMatchObject({ label: "Second", issuer: former.issuer });
  expect(of("beta")).toMatchObject({ refreshLimits: former.refreshLimits });
  expect(former.credentials.current().clientSecret).toBe("next-secret");
  await of("beta").issuer.metadata();
  expect(calls).toHaveLength(1);
});

test("a client with another id at the provider is a new one [MX-005]", () => {
  const { connections, of } = world();
  const former = of("second");
  const moved = { ...secondClient, clientID: "moved", clientSecret: "secret-of-moved" };
  connections.replace(
    configOf({ identity: "issuer+sub", connections: { second: moved } }).connections,
  );
  expect(of("second").registration.client).toBe("moved");
  expect(of("second").credentials).not.toBe(former.credentials);
  expect(former.credentials.current().clientSecret).toBe("secret-of-second");
});

test("twenty issuers are ready before a user needs them, fetched four at a time [MX-065]", async () => {
  const many = Array.from({ length: 30 }, (_, place) => [
    `c${place}`,
    { ...stranger, issuerBaseURL: `https://c${place}.example` },
  ]);
  const config = configOf({ identity: "issuer+sub", connections: Object.fromEntries(many) });
  let [running, most] = [0, 0];
  const called = new Set<string>();
  const connections = createConnections(config.connections, {
    ...quietProviderDeps,
    clock: () => 1_800_000_000_000,
    async fetch(address) {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      const { origin } = new URL(address);
      called.add(origin);
      if (origin === "https://c3.example") throw new TypeError("refused");
      return Response.json(metadataOf(origin));
    },
  });
  await warmUp(connections);
  expect(called.size).toBe(20);
  expect(called.has(issuerBaseURL)).toBe(true);
  expect(most).toBe(4);
});
