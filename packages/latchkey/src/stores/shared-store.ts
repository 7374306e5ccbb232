import { ConfigError } from "../errors/config-error.ts";

/** Each instance would have one of its own. */
const ofOneMachine: ReadonlySet<string | undefined> = new Set(["memory", "sqlite"]);

/**
 * Checks that all instances reach a store.
 *
 * @param kind - the name given by the store itself
 * @throws {ConfigError} if several instances would each have their own store
 */
export function checkSharedStore(kind: string | undefined, instances = 1): void {
  if (!(instances > 1) || !ofOneMachine.has(kind)) return;
  throw new ConfigError([
    {
      option: "store",
      variable: "LATCHKEY_STORE",
      message: `is for one machine, but LATCHKEY_INSTANCES says ${instances}`,
      seen: `${kind}:`,
      remedy:
        "Name a store that all of them reach, e.g. redis://… or postgres://…. Processes on one machine may share a file: leave LATCHKEY_INSTANCES out for them.",
    },
  ]);
}
