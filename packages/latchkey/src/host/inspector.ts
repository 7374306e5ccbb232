import type { Config } from "../config/config.ts";
import type { Receive } from "./opened-host.ts";

/** Shows developers the recent sign-ins, step by step: `inspector` of `latchkey/inspector`. */
export interface Inspector {
  /** Says its address. */
  readonly sentence: string;
  /** Returns the same function, which also follows each sign-in and serves the page. */
  around(receive: Receive): Receive;
}

/**
 * Creates an inspector; `null` if the base URL is not on this machine. Never called in production.
 */
export type InspectorPart = (config: Config) => Promise<Inspector | null> | Inspector | null;
