import type * as redisPackage from "redis";

import { type BackOff, fullJitterMs, randomFraction } from "../../time/back-off.ts";
import { ambient } from "../../ambient.ts";
import type { RedisClient, RedisCluster } from "./redis-commands.ts";
import type { RedisAddress } from "./redis-address.ts";
import { waitForReconnect } from "./redis-reconnect.ts";

/** A client created here, for a server or a cluster. */
export interface OwnClient<Commands = RedisClient | RedisCluster> {
  readonly commands: Commands;
  connect(): Promise<unknown>;
  destroy(): void;
}

export type RedisPackage = typeof redisPackage;

/**
 * Instances that lost one server together reconnect over more than two seconds. In a cluster, an
 * attempt also finds the new owner of the slots. It comes early enough for the store to go on
 * within two seconds of a failover, with the wait of the breaker.
 */
const waits = {
  single: { baseMs: 50, capMs: 3000 },
  several: { baseMs: 50, capMs: 1500 },
} as const;

/** The client of one server; like the others it is not connected yet. */
export function singleClient(
  { createClient }: RedisPackage,
  address: RedisAddress,
): OwnClient<RedisClient> {
  let isOpen = false;
  const settings = settingsOf(address, waits.single, () => isOpen);
  const [host] = address.hosts;
  const client = createClient({ ...settings, socket: { ...settings.socket, ...host } });
  client.on("error", ignore);
  return {
    commands: { sendCommand: waitForReconnect((args: string[]) => client.sendCommand(args)) },
    async connect() {
      await client.connect();
      isOpen = true;
    },
    destroy: () => client.destroy(),
  };
}

export function clusterClient(
  { createCluster }: RedisPackage,
  address: RedisAddress,
): OwnClient<RedisCluster> {
  const settings = settingsOf(address, waits.several, () => true);
  const once = settingsOf(address, waits.several, () => false);
  const cluster = createCluster({
    rootNodes: address.hosts.map((host) => ({ ...once, socket: { ...once.socket, ...host } })),
    defaults: settings,
    // By default a failover goes unnoticed for five seconds.
    topologyRefreshOnReconnectionAttemptStrategy: 200,
  });
  cluster.on("error", ignore);
  return {
    commands: cluster,
    connect: () => cluster.connect(),
    destroy: () => cluster.destroy(),
  };
}

export function sentinelClient(
  { createSentinel }: RedisPackage,
  address: RedisAddress,
): OwnClient<RedisClient> {
  const settings = settingsOf(address, waits.several, () => true);
  const { name, hosts } = address;
  const sentinel = createSentinel({
    name,
    sentinelRootNodes: [...hosts],
    nodeClientOptions: settings,
    scanInterval: 1000,
  });
  sentinel.on("error", ignore);
  return {
    commands: {
      sendCommand: waitForReconnect((args: string[]) => sentinel.sendCommand(false, args)),
    },
    connect: () => sentinel.connect(),
    destroy: () => void sentinel.destroy().catch(ignore),
  };
}

/** Every failing command reports the fault; without a listener the event would end the process. */
function ignore(): void {}

/**
 * @param tries - whether a failed connection is tried again; the first attempt succeeds or fails
 */
function settingsOf(
  { username, password, database, tls }: RedisAddress,
  backOff: BackOff,
  tries: () => boolean,
) {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    // The client keeps no command for a lost connection: see `waitForReconnect`.
    disableOfflineQueue: true,
    // The store has its own deadlines. A timer for each command keeps its request for five seconds.
    commandOptions: { timeout: 0 },
    // Closes a connection without answers. Pings make sure there should be some.
    pingInterval: 2000,
    socket: {
      ...(tls ? { tls: true as const } : {}),
      connectTimeout: 2000,
      socketTimeout: 5000,
      reconnectStrategy: (retries: number, cause: Error) =>
        tries() ? fullJitterMs(retries + 1, backOff, randomFraction(ambient.random)) : cause,
    },
  };
}
