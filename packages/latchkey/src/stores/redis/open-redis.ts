import { redisStore } from "../redis.ts";
import type { RedisClient, RedisCluster } from "./redis-commands.ts";
import type { Store } from "../store.ts";
import { redisFaultOf } from "./redis-commands.ts";
import { beforeConnectDeadline } from "../connect-deadline.ts";
import { parseRedisAddress, type RedisAddress } from "./redis-address.ts";
import {
  clusterClient,
  type OwnClient,
  type RedisPackage,
  sentinelClient,
  singleClient,
} from "./redis-clients.ts";

/** The shortest time between two clients. Until then the former one answers. */
const renewEveryMs = 1000;

/**
 * Opens a store in Redis or Valkey by the package `redis`.
 *
 * @throws {Error} within ten seconds without an answer; the message names host and port, never the
 * password
 */
export async function openRedis(url: string): Promise<Store> {
  const address = parseRedisAddress(url);
  const redis = await redisPackage();
  if (address.kind === "single") {
    const connect = () => connectTo(address, singleClient(redis, address));
    const client = renewedOnReadOnly(await connect(), connect);
    return { ...redisStore(client), close: () => client.destroy() };
  }
  // Cluster and Sentinel find the primary themselves.
  const make = address.kind === "cluster" ? clusterClient : sentinelClient;
  const client = await connectTo<RedisClient | RedisCluster>(address, make(redis, address));
  return { ...redisStore(client.commands), close: () => client.destroy() };
}

async function connectTo<Commands>(
  { hosts }: RedisAddress,
  client: OwnClient<Commands>,
): Promise<OwnClient<Commands>> {
  try {
    await beforeConnectDeadline(client.connect());
    return client;
  } catch (cause) {
    client.destroy();
    const names = hosts.map(({ host, port }) => `${host}:${port}`).join(", ");
    const reason = cause instanceof Error ? cause.message : "no reason";
    throw new Error(`Redis at ${names} cannot be reached: ${reason}`, { cause });
  }
}

/**
 * A client whose server has become a replica resolves the name anew: after a failover another
 * server answers to it. Until then reads go on.
 */
function renewedOnReadOnly(
  first: OwnClient<RedisClient>,
  connect: () => Promise<OwnClient<RedisClient>>,
) {
  let client = first;
  let isRenewing = false;
  let isDestroyed = false;

  async function renew(): Promise<void> {
    isRenewing = true;
    const fresh = await connect().catch(() => null);
    if (isDestroyed) return fresh?.destroy();
    const former = fresh === null ? null : client;
    client = fresh ?? client;
    setTimeout(() => {
      former?.destroy();
      isRenewing = false;
    }, renewEveryMs).unref();
  }

  return {
    async sendCommand(args: string[]): Promise<unknown> {
      try {
        return await client.commands.sendCommand(args);
      } catch (error) {
        const isReplica = error instanceof Error && redisFaultOf(error) === "read-only";
        if (isReplica && !isRenewing) void renew();
        throw error;
      }
    },
    destroy() {
      isDestroyed = true;
      client.destroy();
    },
  };
}

/** The name is literal and the failure is caught, so bundlers accept a missing package. */
async function redisPackage(): Promise<RedisPackage> {
  try {
    return await import("redis");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "no reason";
    throw new TypeError(
      `needs the package redis (npm i redis), which cannot be loaded: ${reason}`,
      { cause },
    );
  }
}
