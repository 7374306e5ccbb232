import { threadId } from "node:worker_threads";

const separated = new WeakSet<LockManager>();

/**
 * Gives each thread its own Web Locks, as if it were a browser. Locks belong to a process, and test
 * files run in several threads of it.
 */
export function separateLocks(): void {
  const { locks } = navigator as Partial<Navigator>;
  if (!locks || separated.has(locks)) return;
  separated.add(locks);
  const request: unknown = Reflect.get(locks, "request");
  Object.defineProperty(locks, "request", {
    value: (name: string, ...rest: unknown[]): unknown =>
      Reflect.apply(request as () => unknown, locks, [`${threadId} ${name}`, ...rest]),
  });
}
