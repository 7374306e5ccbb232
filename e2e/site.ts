/** The web application in production: several instances, Redis, and HAProxy with health checks. */
import type { Instance, Instances } from "./instances.ts";
import { startInstances } from "./instances.ts";
import { findHAProxy, startHAProxy } from "../packages/latchkey/test/servers/haproxy.ts";
import { findRedis, startRedis } from "../packages/latchkey/test/servers/redis.ts";
import { freePort } from "../packages/latchkey/test/servers/free-port.ts";

export interface Site {
  readonly url: string;
  readonly issuer: string;
  readonly redisPort: number;
  /** The running instances. */
  instances(): readonly Instance[];
  /** Starts a new instance, and ends the leaving one when the balancer uses the new one. */
  replace(leaving: Instance, settings?: Settings): Promise<void>;
  /** Counts the requests without an instance to serve them. */
  failures(): Promise<number>;
  /** Counts the requests at instances without a response so far. */
  underWay(): Promise<number>;
  readonly provider: Pick<Instances, "pauseProvider" | "resumeProvider">;
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

export interface SiteOptions {
  readonly settings: Settings;
  /** For each instance, the repository of its build. */
  readonly checkouts: readonly (string | undefined)[];
  /** Failed health checks, a second apart, until the balancer leaves an instance out. */
  readonly refusals?: number;
}

/** More ports than instances, because each new instance listens on another port. */
const freePorts = (count: number) => Array.from({ length: count }, freePort);

export async function startSite({ settings, checkouts, refusals = 3 }: SiteOptions): Promise<Site> {
  const [redisProgram, haproxyProgram] = [findRedis(), findHAProxy()];
  if (redisProgram === null || haproxyProgram === null) {
    throw new Error("There is no Redis or no HAProxy here. npm test unpacks both.");
  }
  const [port = 0, ...places] = await Promise.all(freePorts(1 + checkouts.length * 4));
  const url = `http://localhost:${port}`;
  const balancer = await startHAProxy(haproxyProgram, { port, ports: places, refusals });
  const redis = await startRedis(redisProgram);
  const common = {
    HOST: "127.0.0.1",
    LATCHKEY_STORE: `redis://127.0.0.1:${redis.port}`,
    LATCHKEY_INSTANCES: String(checkouts.length),
    LATCHKEY_DRAIN_DELAY: String(refusals + 1.5),
    LATCHKEY_LOG_LEVEL: "warn",
    ...settings,
  };
  const all = await startInstances(url, common);
  const running: Instance[] = [];

  async function start(checkout: string | undefined, more: Settings = {}): Promise<Instance> {
    const place = String(places.shift());
    const instance = await all.start({ ...more, PORT: place }, checkout);
    await balancer.add(instance.port);
    return instance;
  }

  async function close(): Promise<void> {
    await balancer.close();
    await all.close();
    await redis.close();
  }

  try {
    for (const checkout of checkouts) {
      // oxlint-disable-next-line no-await-in-loop -- two cores start one at a time
      running.push(await start(checkout));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    issuer: all.issuer,
    redisPort: redis.port,
    instances: () => [...running],
    provider: all,
    async replace(leaving, more) {
      running.push(await start(undefined, more));
      running.splice(running.indexOf(leaving), 1);
      leaving.kill("SIGTERM");
      const code = await leaving.ended;
      if (code !== 0) {
        throw new Error(`An instance has ended with ${code}: ${leaving.lines.join("\n")}`);
      }
      await balancer.remove(leaving.port);
      places.push(leaving.port);
    },
    failures: () => balancer.failures(),
    underWay: () => balancer.underWay(),
    close,
  };
}
