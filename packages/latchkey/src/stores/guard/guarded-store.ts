import type { Log, StoreFault } from "../../config/telemetry/log-event.ts";
import { type Observer, unobserved } from "../../config/telemetry/telemetry.ts";
import { withDeadline } from "../../deadline.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { MaybePromise } from "../../maybe-promise.ts";
import { createProbingBreaker } from "./probing-breaker.ts";
import type { Store } from "../store.ts";
import { StoreTimeout, storeFaultOf } from "./store-fault.ts";
import { createStoreLog } from "./store-log.ts";

/** How a store is: `read-only` where it answers, but refuses to write. */
export type StoreState = "up" | "read-only" | "down";

/** A store whose every fault is a refusal, and which never keeps anybody waiting. */
export interface GuardedStore extends Store {
  state(): StoreState;
  /** For how long every read has failed, in milliseconds; 0 where the last one was answered. */
  silentMs(): number;
  /**
   * Asks for something small.
   *
   * @throws {Refusal} `store_unavailable`
   */
  check(): Promise<void>;
}

export interface GuardOptions {
  readonly log: Log;
  readonly observer?: Pick<Observer, "measure" | "run">;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** A number from 0 to less than 1. */
  readonly fraction: () => number;
  /** How far our times are from those of the clock of the machine, by which the store is told, in milliseconds. */
  readonly correctionMs?: () => number;
}

/** An operation that has not been answered for so long has failed: then its request is answered within a second. */
const deadlineMs = 900;
const knownDown = "the store is known to be down";

type Operation = Exclude<keyof Store, "close" | "faultOf" | "kind">;

/** Whether something was surely written: a store that takes no writes may still say that there is nothing to do. */
function hasWritten(operation: Operation, result: unknown): boolean {
  return operation === "set" || operation === "join" || result === true || result === "done";
}

/** Whether nobody was found, or nothing could be read: a write may fail for a reason of its own. */
function meansDown(operation: Operation, fault: StoreFault): boolean {
  return operation === "get" || fault === "timeout" || fault === "refused";
}

/**
 * Guards a store: every operation has a deadline; after five in a row that found nobody or read nothing, the store is
 * known to be down and operations are refused immediately, until it answers again.
 *
 * @throws {Refusal} from every operation: `store_unavailable`
 */
export function guardStore(
  store: Store,
  { log, observer = unobserved, clock, fraction, correctionMs = () => 0 }: GuardOptions,
): GuardedStore {
  const ask = () => store.get(["probe"]);
  const ends = { badly: (error: unknown) => ({ reason: storeFaultOf(store, error) }) };
  let silentSince: number | null = null;
  const storeLog = createStoreLog({ log, measure: observer.measure, clock, store: store.kind });
  const breaker = createProbingBreaker({
    clock,
    fraction,
    probe: () => beforeDeadline(ask),
    onOpen: storeLog.down,
    onClose(outage) {
      silentSince = null;
      storeLog.up(outage);
    },
  });

  async function guarded<T>(operation: Operation, call: () => MaybePromise<T>): Promise<T> {
    if (operation === "get") silentSince ??= clock();
    if (!breaker.admits()) throw new Refusal("store_unavailable", { detail: knownDown });
    const { recoveries } = breaker;
    const start = clock();
    try {
      const named = { kind: "store", name: operation } as const;
      const result = await observer.run(named, () => beforeDeadline(call), ends);
      breaker.succeeded();
      silentSince = null;
      storeLog.answered(operation, start, hasWritten(operation, result));
      return result;
    } catch (cause) {
      const fault = storeFaultOf(store, cause);
      storeLog.failed(operation, start, { reason: fault, error: cause });
      if (meansDown(operation, fault)) breaker.failed(fault, recoveries);
      throw new Refusal("store_unavailable", { cause });
    }
  }

  return {
    check: async () => void (await guarded("get", ask)),
    silentMs: () => (silentSince === null ? 0 : clock() - silentSince),
    state: () => (breaker.isOpen() ? "down" : storeLog.isReadOnly() ? "read-only" : "up"),
    ...guardedOperations(store, guarded, (seconds) => seconds - correctionMs() / 1000),
    close() {
      breaker.stop();
      return store.close();
    },
  };
}

type Guarded = <T>(operation: Operation, call: () => MaybePromise<T>) => Promise<T>;

/** @param machineTime what the clock of the machine shows at a moment of ours, both in epoch seconds */
function guardedOperations(
  store: Store,
  guarded: Guarded,
  machineTime: (seconds: number) => number,
): Omit<Store, "close"> {
  const { now } = store;
  return {
    get: (keys) => guarded("get", () => store.get(keys)),
    set: (key, value, until) => guarded("set", () => store.set(key, value, machineTime(until))),
    add: (key, value, until) => guarded("add", () => store.add(key, value, machineTime(until))),
    swap: (key, expected, value, until) =>
      guarded("swap", () => store.swap(key, expected, value, machineTime(until))),
    delete: (key) => guarded("delete", () => store.delete(key)),
    lease: (...entry) => guarded("lease", () => store.lease(...entry)),
    release: (...entry) => guarded("release", () => store.release(...entry)),
    settle: (...entry) => guarded("settle", () => store.settle(...entry)),
    join: (index, key, until) => guarded("join", () => store.join(index, key, machineTime(until))),
    leave: (...entry) => guarded("leave", () => store.leave(...entry)),
    members: (index) => guarded("members", () => store.members(index)),
    ...(now && { now: () => guarded("now", now) }),
  };
}

/** What a store returns synchronously needs no deadline. */
async function beforeDeadline<T>(call: () => MaybePromise<T>): Promise<T> {
  const pending = call();
  return pending instanceof Promise ? withDeadline(deadlineMs, pending, tooLate) : pending;
}

function tooLate(): never {
  throw new StoreTimeout(deadlineMs);
}
