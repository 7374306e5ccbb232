import type { Context } from "../context.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import type { Scheme } from "./scheme.ts";

/** An option that lets requests authenticate by something else than a session. */
export interface CallersPart {
  /** Paths that are an API, beside `/api`: no request for them is led to login. */
  readonly paths: readonly string[];
  /** Whether users sign in, too; by default they do. */
  readonly hasSessions?: boolean;
  /** What is wrong with its settings. */
  readonly faults: readonly ConfigFault[];
  /** Called once, after the settings were checked. */
  open(context: Context): readonly Scheme[];
}
