import { LatchkeyError } from "./latchkey-error.ts";

/** One setting that cannot be accepted, in words an operator can act on. */
export interface ConfigFault {
  /** The option as written in code, e.g. `session.cookie.secure`. */
  readonly option: string;
  /** The environment variable that sets the same option. */
  readonly variable: string;
  readonly message: string;
  /** The value seen; absent where it is missing or where it is a secret. */
  readonly seen?: string;
  readonly remedy: string;
}

/** The configuration is not usable: every fault at once. */
export class ConfigError extends LatchkeyError {
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super("ERR_CONFIG", `${countOf(faults)}\n${faults.map(lineOf).join("\n")}`);
    this.faults = faults;
  }
}

function countOf(faults: readonly ConfigFault[]): string {
  return faults.length === 1
    ? "1 setting needs attention."
    : `${faults.length} settings need attention.`;
}

function lineOf(fault: ConfigFault): string {
  const seen = fault.seen === undefined ? "" : ` (seen: ${fault.seen})`;
  return `  ${fault.variable} / ${fault.option}: ${fault.message}${seen}. ${fault.remedy}`;
}
