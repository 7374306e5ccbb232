import { type RunningProvider, startProvider } from "@latchkey/provider";
import { describe, expect, test } from "vitest";

import { type Browser, createBrowser } from "../browser/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { findRedis, type RunningRedis, startRedis } from "../servers/redis.ts";
import { type Instances, startInstances } from "./soak/instances.ts";

const program = findRedis();
const tokenLasts = 300;
const processes = 3;
const requests = 12;

/** How a Redis comes to answer reads only, and to take writes again. */
const causes = [
  ["has no memory left", ["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"]],
  [
    "has lost its replicas",
    ["CONFIG", "SET", "min-replicas-to-write", "1"],
    ["CONFIG", "SET", "min-replicas-to-write", "0"],
  ],
  ["has become a replica", ["REPLICAOF", "127.0.0.1"], ["REPLICAOF", "NO", "ONE"]],
] as const;

interface Scene {
  readonly redis: RunningRedis;
  readonly instances: Instances;
  readonly browser: Browser;
  /** The page at each instance, several times at the same moment. */
  askAll(): Promise<readonly string[]>;
  /** Statuses of the responses from the token endpoint since the sign-in. */
  tokenCalls(): readonly number[];
}

/**
 * Runs three processes with one Redis, a signed-in user, and a provider that revokes all tokens on
 * a reused refresh token.
 */
async function inScene(run: (scene: Scene) => Promise<void>): Promise<void> {
  const redis = await startRedis(program ?? "");
  let provider: RunningProvider | undefined;
  const instances = await startInstances(processes, async (baseURL) => {
    provider = await startProvider({ appURL: baseURL, lifetimes: { accessToken: tokenLasts } });
    const [client] = provider.clients;
    const { issuer } = provider;
    const app = { issuer, clientID: client?.id ?? "", clientSecret: client?.secret ?? "" };
    return { ...app, store: redis.url };
  });
  const browser = createBrowser(instances.baseURL);
  const askAll = () =>
    Promise.all(
      Array.from({ length: requests }, async (_, turn) => {
        const { status, text } = await browser.request(`${instances.origins[turn % processes]}/`);
        return text.startsWith("ERR_") || status !== 200 ? `${status} ${text}` : text;
      }),
    );
  try {
    await browser.signIn("/");
    provider?.clearRequests();
    const calls = () => provider?.requests.filter(({ path }) => path === "/token") ?? [];
    const tokenCalls = () => calls().map(({ status }) => status);
    await run({ redis, instances, browser, askAll, tokenCalls });
  } finally {
    await instances.close();
    await provider?.close();
    await redis.close();
  }
}

describe.skipIf(program === null)("three processes with a read-only Redis", () => {
  test.each(causes)(
    "because it %s spend no refresh token, sign no user out, and continue afterwards",
    async (_, begin, end) =>
      inScene(async ({ redis, instances, browser, askAll, tokenCalls }) => {
        const [token = ""] = await askAll();
        const port = begin.length === 2 ? [String(await freePort())] : [];
        await redis.command(...begin, ...port);

        // The token at hand is good for another 40 s, then for 20.
        for (const seconds of [tokenLasts - 40, 20]) {
          await instances.advance(seconds * 1000);
          expect(new Set(await askAll())).toEqual(new Set([token]));
        }
        await instances.advance(60_000);
        expect(new Set(await askAll())).toEqual(new Set(["200 ERR_STORE_UNAVAILABLE"]));
        expect(tokenCalls()).toEqual([]);

        await redis.command(...end);
        const isServed = async () => {
          const after = new Set(await askAll());
          return after.size === 1 && ![...after].join().includes("ERR_");
        };
        await expect.poll(isServed).toBe(true);
        expect(tokenCalls()).toEqual([200]);
        expect(await browser.cookies()).toContain("appSession");
      }),
  );
});
