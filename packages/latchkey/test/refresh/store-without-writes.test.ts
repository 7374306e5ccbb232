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
  /** What the token endpoint has been asked since the sign-in: the status of each answer. */
  tokenCalls(): readonly number[];
}

/** Three processes with one Redis, a provider that revokes everything when a refresh token comes twice, and somebody signed in. */
async function inScene(isStateful: boolean, run: (scene: Scene) => Promise<void>): Promise<void> {
  const redis = await startRedis(program ?? "");
  let provider: RunningProvider | undefined;
  const instances = await startInstances(processes, async (baseURL) => {
    provider = await startProvider({ appURL: baseURL, lifetimes: { accessToken: tokenLasts } });
    const [client] = provider.clients;
    const { issuer } = provider;
    const app = { issuer, clientID: client?.id ?? "", clientSecret: client?.secret ?? "" };
    return { ...app, isStateful, store: redis.url };
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

describe.skipIf(program === null)("three processes whose Redis takes no writes", () => {
  for (const isStateful of [false, true]) {
    test.each(isStateful ? causes.slice(0, 1) : causes)(
      `because it %s spend no refresh token, sign nobody out, and go on afterwards; sessions in the store: ${isStateful}`,
      async (_, begin, end) =>
        inScene(isStateful, async ({ redis, instances, browser, askAll, tokenCalls }) => {
          const [token = ""] = await askAll();
          const port = begin.length === 2 ? [String(await freePort())] : [];
          await redis.command(...begin, ...port);

          // The token at hand is good for another 40 s, then for 20.
          for (const seconds of [tokenLasts - 40, 20]) {
            await instances.advance(seconds * 1000);
            expect(new Set(await askAll())).toEqual(new Set([token]));
          }
          await instances.advance(60_000);
          expect(new Set(await askAll())).toEqual(new Set(["200 ERR_REFUSED"]));
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
  }
});
