import { ConfigError, type ConfigFault } from "../errors/config-error.ts";

/**
 * The faults to report where the function that opens the store has failed: its own, or one that
 * quotes the error.
 */
export function storeFaults(error: unknown): readonly ConfigFault[] {
  if (error instanceof ConfigError) return error.faults;
  return [
    {
      option: "store",
      variable: "LATCHKEY_STORE",
      message: `cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
      remedy: "See that the function passed as store can open it.",
    },
  ];
}
