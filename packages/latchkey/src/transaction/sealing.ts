import type { Config } from "../config/config.ts";
import type { KeyRing } from "../crypto/key-ring.ts";

/** What the values of a sign-in, which browsers carry, are sealed with. */
export interface Sealing {
  readonly config: Config;
  readonly keys: () => KeyRing;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}
