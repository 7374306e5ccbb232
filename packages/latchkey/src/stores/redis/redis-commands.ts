import type { StoreFault } from "../../telemetry/log-event.ts";
import { faultNamed, type FaultNames } from "../guard/store-fault.ts";

/**
 * A client of node-redis, or any client that sends commands alike: to one server, or through a
 * Sentinel.
 */
export interface RedisClient {
  sendCommand(args: string[]): Promise<unknown>;
}

/** A cluster client of node-redis. */
export interface RedisCluster {
  sendCommand(firstKey: string, isReadonly: boolean, args: string[]): Promise<unknown>;
  readonly masters: unknown;
}

/** A client of ioredis or iovalkey: of one server, a Sentinel or a cluster. */
export interface IORedisClient {
  call(command: string, ...args: string[]): Promise<unknown>;
  readonly isCluster: boolean;
}

/** A client opened by the app, which also closes it. */
export type AnyRedisClient = RedisClient | RedisCluster | IORedisClient;

/** Sends a command about one place. */
type Send = (place: string, command: string, ...args: readonly string[]) => Promise<unknown>;

/** How commands reach a Redis of whatever kind. */
export function redisCommands(client: AnyRedisClient, prefix: string) {
  assertClient(client);
  const send = senderOf(client);
  const isCluster = "masters" in client || ("isCluster" in client && client.isCluster);
  return {
    send,
    placeOf: (key: string) => prefix + (isCluster ? withHashTag(key) : key),
    getAll: (places: readonly string[]) =>
      isCluster ? getBySlot(send, places) : getTogether(send, places),
  };
}

/** @throws {TypeError} for an address, or for nothing, which JavaScript lets pass */
function assertClient(
  given: { readonly sendCommand?: unknown; readonly call?: unknown } | undefined,
): void {
  if (typeof given?.sendCommand === "function" || typeof given?.call === "function") return;
  throw new TypeError(
    "redisStore() takes a client of node-redis or ioredis; openStore() of latchkey/node takes an address",
  );
}

function senderOf(client: AnyRedisClient): Send {
  if ("call" in client) return (_, command, ...args) => client.call(command, ...args);
  if ("masters" in client) return (place, ...command) => client.sendCommand(place, false, command);
  return (_, ...command) => client.sendCommand(command);
}

async function getTogether(
  send: Send,
  places: readonly string[],
): Promise<readonly (string | null)[]> {
  const [first] = places;
  if (first === undefined) return [];
  try {
    const values = await send(first, "MGET", ...places);
    return places.map((_, index) => textAt(values, index));
  } catch (error) {
    if (!isTryAgain(error)) throw error;
    return Promise.all(places.map(async (place) => textOf(await send(place, "GET", place))));
  }
}

/**
 * While their slot moves to another server, some of the keys are there already: they are read one
 * by one.
 */
function isTryAgain(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("TRYAGAIN");
}

/**
 * One command for each hash tag, all at the same time: a command may have keys of one slot only.
 */
async function getBySlot(
  send: Send,
  places: readonly string[],
): Promise<readonly (string | null)[]> {
  const groups = Map.groupBy(new Set(places), hashTagOf);
  const found = new Map<string, string | null>();
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const values = await getTogether(send, group);
      group.forEach((place, index) => found.set(place, values[index] ?? null));
    }),
  );
  return places.map((place) => found.get(place) ?? null);
}

function hashTagOf(place: string): string {
  return /\{([^}]+)\}/.exec(place)?.[1] ?? place;
}

/**
 * The part after the kind names the owner of an entry: entries of one owner share a slot of the
 * cluster.
 */
function withHashTag(key: string): string {
  const [kind = "", about, ...rest] = key.split("|");
  return about === undefined ? key : [kind, `{${about}}`, ...rest].join("|");
}

function textAt(values: unknown, index: number): string | null {
  return textOf(Array.isArray(values) ? values[index] : null);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Returns the fault for an error of Redis, whose first word is its code, or of its client. */
export function redisFaultOf(error: Error): StoreFault | undefined {
  return faultNamed(error, faults) ?? (isClosed(error) ? "refused" : undefined);
}

/** What ioredis says, without a code or a class of its own. */
function isClosed({ message }: Error): boolean {
  return message.startsWith("Connection is closed");
}

const faults: FaultNames = {
  // Redis and Valkey
  LOADING: "refused",
  CLUSTERDOWN: "refused",
  MASTERDOWN: "refused",
  READONLY: "read-only",
  NOREPLICAS: "read-only",
  MISCONF: "oom",
  OOM: "oom",
  // node-redis and ioredis
  ClientClosedError: "refused",
  ClientOfflineError: "refused",
  DisconnectsClientError: "refused",
  SocketClosedUnexpectedlyError: "refused",
  SocketTimeoutError: "refused",
  SocketTimeoutDuringMaintenanceError: "refused",
  ConnectionTimeoutError: "timeout",
  CommandTimeoutError: "timeout",
  TimeoutError: "timeout",
  MaxRetriesPerRequestError: "refused",
  ClusterAllFailedError: "refused",
};
