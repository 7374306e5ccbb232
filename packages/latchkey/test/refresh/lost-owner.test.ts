import { setTimeout as sleep } from "node:timers/promises";

import { type HostileProvider, startHostileProvider } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { createBrowser } from "../browser.ts";
import { findRedis, startRedis } from "../redis.ts";
import { type Instances, startInstances } from "./soak/instances.ts";

const redis = findRedis();
const httpTimeout = 1000;
/** See `takeLease`: two calls, and three seconds. */
const leaseMs = 2 * httpTimeout + 3000;

interface Scene {
  readonly provider: HostileProvider;
  readonly instances: Instances;
  /** The text of the page at an instance: a token, or the code of an error. */
  ask(place: number): Promise<string>;
}

/** Two instances, of which the second has never spoken to the provider; somebody is signed in, and needs a new token. */
async function inScene(isStateful: boolean, run: (scene: Scene) => Promise<void>): Promise<void> {
  const server = await startRedis(redis ?? "");
  const provider = await startHostileProvider();
  const { id: clientID, secret: clientSecret } = provider.client;
  const { issuer } = provider;
  const app = { issuer, clientID, clientSecret, isStateful, store: server.url, httpTimeout };
  const instances = await startInstances(2, async () => app);
  const browser = createBrowser(instances.baseURL);
  async function ask(place: number): Promise<string> {
    const { status, text } = await browser.request(`${instances.origins[place]}/`);
    expect(status).toBe(200);
    return text;
  }
  try {
    const { location } = await browser.request("/api/auth/login");
    const returned = await provider.visit(location);
    await browser.open(returned?.url ?? "");
    await instances.advance(7_200_000);
    await run({ provider, instances, ask });
  } finally {
    await instances.close();
    await provider.close();
    await server.close();
  }
}

describe.skipIf(redis === null)("the process that is about to spend a refresh token", () => {
  test.each([
    ["is killed", "SIGKILL", true],
    ["is stopped for longer than its lease", "SIGSTOP", false],
  ] as const)(
    "%s (%s): another one does it when the lease is over, and nobody is signed out; sessions in the store: %s [OP-010]",
    async (_, signal, isStateful) =>
      inScene(isStateful, async ({ provider, instances, ask }) => {
        provider.behave({ faults: { metadata: { kind: "hang" } } });
        provider.resetLog();
        const lost = ask(1).catch(() => "nothing");
        // It has the lease, and asks where the token endpoint is.
        await expect.poll(() => provider.requestsTo("metadata")).toHaveLength(1);
        instances.signal(1, signal);
        const leased = performance.now();
        provider.behave("well");

        await expect.poll(async () => ask(0)).not.toMatch(/^ERR_/);
        expect(performance.now() - leased).toBeGreaterThan(leaseMs - 1000);
        expect(provider.requestsTo("refresh")).toHaveLength(1);

        if (signal === "SIGSTOP") {
          instances.signal(1, "SIGCONT");
          await lost;
          await sleep(100);
        }
        await instances.advance(7_200_000);
        expect(await ask(0)).not.toMatch(/^ERR_/);
        expect(provider.requestsTo("refresh")).toHaveLength(2);
      }),
  );
});
