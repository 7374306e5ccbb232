import type { StoreFault } from "../../telemetry/log-event.ts";
import type { Store } from "../store.ts";

/** The store did not answer in time; the operation may or may not have happened. */
export class StoreTimeout extends Error {
  override readonly name = "StoreTimeout";

  constructor(deadlineMs: number) {
    super(`The store did not answer within ${deadlineMs} ms.`);
  }
}

/** Returns why an operation failed: from the store itself, else from the network. */
export function storeFaultOf(store: Pick<Store, "faultOf">, error: unknown): StoreFault {
  if (error instanceof StoreTimeout) return "timeout";
  if (error instanceof AggregateError && error.errors.length > 0) {
    return storeFaultOf(store, error.errors[0]);
  }
  if (!(error instanceof Error)) return "other";
  return store.faultOf?.(error) ?? faultNamed(error, networkFaults) ?? "other";
}

/** Faults by what names an error: its code, its first word, or its class. */
export type FaultNames = Readonly<Record<string, StoreFault>>;

export function faultNamed(error: Error, faults: FaultNames): StoreFault | undefined {
  const code = "code" in error ? String(error.code) : "";
  const [firstWord = ""] = error.message.split(" ", 1);
  const name = [code, firstWord, error.constructor.name].find((each) =>
    Object.hasOwn(faults, each),
  );
  return name === undefined ? undefined : faults[name];
}

/** The codes of Node. */
const networkFaults: FaultNames = {
  ECONNREFUSED: "refused",
  ECONNRESET: "refused",
  EPIPE: "refused",
  ENOTFOUND: "refused",
  EAI_AGAIN: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  ETIMEDOUT: "timeout",
};
