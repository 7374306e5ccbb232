import { setTimeout as sleep } from "node:timers/promises";

import {
  type Fault,
  type HostileProvider,
  type ResponseParts,
  startHostileProvider,
} from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { type Browser, createBrowser } from "../browser/browser.ts";
import { findRedis, startRedis } from "../servers/redis.ts";
import { type Instances, startInstances } from "./soak/instances.ts";

const redis = findRedis();
const httpTimeout = 1000;
/** See `spendingMs`: two calls, and three seconds. */
const leaseMs = 2 * httpTimeout + 3000;

interface Scene {
  readonly provider: HostileProvider;
  readonly instances: Instances;
  readonly browser: Browser;
  signIn(): Promise<void>;
  /** The text of the page at an instance: a token, or the code of an error. */
  ask(place: number): Promise<string>;
}

/**
 * Runs with a signed-in user who needs a new token, and two instances. The second one has never
 * called the provider.
 */
async function inScene(run: (scene: Scene) => Promise<void>): Promise<void> {
  const server = await startRedis(redis ?? "");
  const provider = await startHostileProvider();
  const { id: clientID, secret: clientSecret } = provider.client;
  const { issuer } = provider;
  const app = { issuer, clientID, clientSecret, store: server.url, httpTimeout };
  const instances = await startInstances(2, async () => app);
  const browser = createBrowser(instances.baseURL);
  async function ask(place: number): Promise<string> {
    const { status, text } = await browser.request(`${instances.origins[place]}/`);
    expect(status).toBe(200);
    return text;
  }
  async function signIn(): Promise<void> {
    const { location } = await browser.request("/api/auth/login");
    const returned = await provider.visit(location);
    await browser.open(returned?.url ?? "");
  }
  try {
    await signIn();
    await instances.advance(7_200_000);
    await run({ provider, instances, browser, ask, signIn });
  } finally {
    await instances.close();
    await provider.close();
    await server.close();
  }
}

describe.skipIf(redis === null)("the process about to spend a refresh token", () => {
  test.each([
    ["is killed", "SIGKILL", "hang"],
    ["is stopped for longer than its lease, and cannot send it", "SIGSTOP", "hang"],
    ["is stopped for longer than its lease, and may not send it", "SIGSTOP", "mangle"],
  ] as const)(
    "%s (%s): another one does it when the lease is over, and no user is signed out [OP-010]",
    async (_, signal, kind) =>
      inScene(async ({ provider, instances, ask }) => {
        function mangle(good: ResponseParts): ResponseParts {
          instances.signal(1, signal);
          return good;
        }
        provider.behave({ faults: { metadata: kind === "hang" ? { kind } : { kind, mangle } } });
        provider.resetLog();
        const lost = ask(1).catch(() => "nothing");
        // It holds the lease and requests the address of the token endpoint.
        await expect.poll(() => provider.requestsTo("metadata")).toHaveLength(1);
        instances.signal(1, signal);
        const leased = performance.now();
        provider.behave("well");

        await expect.poll(async () => ask(0)).not.toMatch(/^ERR_/);
        // Without a lease, the next request would refresh. On a busy machine it began long ago.
        expect(performance.now() - leased).toBeGreaterThan(leaseMs / 2);
        expect(provider.requestsTo("refresh")).toHaveLength(1);

        // Longer than anybody looks for what has become of the token.
        await sleep(leased + 7000 - performance.now());
        instances.signal(1, "SIGCONT");
        // Its caller gets the result of the other instance.
        expect(await lost).toBe(signal === "SIGSTOP" ? await ask(0) : "nothing");
        const living = signal === "SIGSTOP" ? 1 : 0;
        expect(await ask(living)).toBe(await ask(0));
        await instances.advance(7_200_000);
        expect(await ask(0)).not.toMatch(/^ERR_/);
        expect(provider.requestsTo("refresh")).toHaveLength(2);
      }),
  );

  test.each([
    ["is stopped", "SIGSTOP"],
    ["is killed", "SIGKILL"],
  ] as const)(
    "%s (%s) when the provider has taken the token, and for longer than its lease: the person stays signed in, and a new sign-in brings new tokens",
    async (_, signal) =>
      inScene(async ({ provider, instances, browser, ask, signIn }) => {
        const stop: Fault = { kind: "mangle", mangle: stopped };
        function stopped(good: ResponseParts): ResponseParts {
          instances.signal(1, signal);
          provider.behave("well");
          return good;
        }
        provider.behave({ faults: { refresh: stop } });
        provider.resetLog();
        const lost = ask(1).catch(() => "nothing");
        await expect.poll(() => provider.requestsTo("refresh")).toHaveLength(1);

        // The provider takes the second use for theft, and revokes what the first has brought.
        await expect.poll(() => ask(0)).toBe("ERR_FAILED_REFRESH_GRANT");
        instances.signal(1, "SIGCONT");
        await lost;
        expect((await browser.request(`${instances.origins[0]}/api/auth/me`)).status).toBe(200);
        expect(provider.requestsTo("refresh")).toHaveLength(2);

        await signIn();
        const living = signal === "SIGSTOP" ? 1 : 0;
        expect(await ask(0)).not.toMatch(/^ERR_/);
        expect(await ask(living)).not.toMatch(/^ERR_/);
        await instances.advance(7_200_000);
        expect(await ask(0)).not.toMatch(/^ERR_/);
        expect(provider.requestsTo("refresh")).toHaveLength(3);
      }),
  );
});
