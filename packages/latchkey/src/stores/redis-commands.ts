import type { StoreFault } from "../config/telemetry/log-event.ts";
import { faultNamed, type FaultNames } from "./guard/store-fault.ts";

/** A client of node-redis, or anything that sends a command as it does: to one server, or by a Sentinel. */
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

/** A client that the app has opened; it stays the app's to close. */
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
    /** Where a key of ours lies. */
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

/** While their slot moves to another server, some of the places lie there already: they are asked for one by one. */
function isTryAgain(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("TRYAGAIN");
}

/** One question for each hash tag, all under way together: a command may name places of one slot only. */
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

/** The part after the kind says whom an entry is about: what is about one person lies together in a cluster. */
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

/** What an error of Redis tells, whose first word is its code, or one of its clients. */
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
