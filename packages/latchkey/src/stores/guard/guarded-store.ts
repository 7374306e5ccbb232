import type { Log, StoreFault } from "../../telemetry/log-event.ts";
import { type Observer, unobserved } from "../../telemetry/telemetry.ts";
import { withDeadline } from "../../time/deadline.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { MaybePromise } from "../../time/maybe-promise.ts";
import { createProbingBreaker } from "./probing-breaker.ts";
import type { Store } from "../store.ts";
import { StoreTimeout, storeFaultOf } from "./store-fault.ts";
import { createStoreLog } from "./store-log.ts";

/** The state of a store; `read-only`: it answers, but refuses writes. */
export type StoreState = "up" | "read-only" | "down";

/** A store whose every fault is a refusal, and which never keeps anybody waiting. */
export interface GuardedStore extends Store {
  state(): StoreState;
  /**
   * Reads something small.
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
}

/** The time limit of an operation. Its request is then answered within a second. */
const deadlineMs = 900;
const knownDown = "the store is known to be down";

type Operation = Exclude<keyof Store, "close" | "faultOf" | "kind">;

/**
 * Returns whether something was surely written: a read-only store may still report nothing to do.
 */
function hasWritten(operation: Operation, result: unknown): boolean {
  return operation === "set" || operation === "join" || result === true || result === "done";
}

/** Returns whether the store was unreachable or unreadable: a write may fail for other reasons. */
function meansDown(operation: Operation, fault: StoreFault): boolean {
  return operation === "get" || fault === "timeout" || fault === "refused";
}

/**
 * Guards a store: every operation has a time limit. After five unreachable or unreadable ones in a
 * row the store counts as down, and operations are refused immediately until it answers again.
 *
 * @throws {Refusal} from every operation: `store_unavailable`
 */
export function guardStore(
  store: Store,
  { log, observer = unobserved, clock, fraction }: GuardOptions,
): GuardedStore {
  const ask = () => store.get(["probe"]);
  const ends = { badly: (error: unknown) => ({ reason: storeFaultOf(store, error) }) };
  const storeLog = createStoreLog({ log, measure: observer.measure, clock, store: store.kind });
  const breaker = createProbingBreaker({
    clock,
    fraction,
    probe: () => beforeDeadline(ask),
    onOpen: storeLog.down,
    onClose: storeLog.up,
  });

  async function guard<T>(operation: Operation, call: () => MaybePromise<T>): Promise<T> {
    if (!breaker.admits()) throw new Refusal("store_unavailable", { detail: knownDown });
    const { recoveries } = breaker;
    const start = clock();
    try {
      const named = { kind: "store", name: operation } as const;
      const result = await observer.run(named, () => beforeDeadline(call), ends);
      breaker.succeeded();
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
    check: async () => void (await guard("get", ask)),
    state: () => (breaker.isOpen() ? "down" : storeLog.isReadOnly() ? "read-only" : "up"),
    ...guardedOperations(store, guard),
    close() {
      breaker.stop();
      return store.close();
    },
  };
}

type Guarded = <T>(operation: Operation, call: () => MaybePromise<T>) => Promise<T>;

function guardedOperations(store: Store, guard: Guarded): Omit<Store, "close"> {
  return {
    get: (keys) => guard("get", () => store.get(keys)),
    set: (...entry) => guard("set", () => store.set(...entry)),
    add: (...entry) => guard("add", () => store.add(...entry)),
    swap: (...entry) => guard("swap", () => store.swap(...entry)),
    delete: (key) => guard("delete", () => store.delete(key)),
    lease: (...entry) => guard("lease", () => store.lease(...entry)),
    release: (...entry) => guard("release", () => store.release(...entry)),
    join: (...entry) => guard("join", () => store.join(...entry)),
    leave: (...entry) => guard("leave", () => store.leave(...entry)),
    members: (index) => guard("members", () => store.members(index)),
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
