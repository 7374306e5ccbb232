import { LatchkeyError } from "./latchkey-error.ts";
import { nameErrors } from "./name-errors.ts";
import { oneLine } from "./one-line.ts";

/** An invalid setting, in words an operator can act on. */
export interface ConfigFault {
  /** The option as written in code, e.g. `session.cookie.secure`. */
  readonly option: string;
  /** The environment variable of the same option; empty if there is none. */
  readonly variable: string;
  /** What is wrong with it: goes on from the name of the option, and ends without a full stop. */
  readonly message: string;
  /**
   * The value found, on one line, shortened, without user name and password; absent if it is
   * missing or a secret.
   */
  readonly seen?: string | undefined;
  /** What to do about it: one sentence or two. */
  readonly remedy: string;
}

/** The configuration is not usable. Names every fault. */
export class ConfigError extends LatchkeyError<"ERR_CONFIG"> {
  declare readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    const shown = faults.map(presentable);
    super("ERR_CONFIG", `${countOf(faults)}\n${shown.map(lineOf).join("\n")}`);
    // Node prints the stack and then every enumerable property: the operator should read each fault
    // once.
    Object.defineProperties(this, {
      code: { value: this.code, enumerable: false },
      faults: { value: shown, enumerable: false },
      stack: { value: `${this.name}: ${this.message}`, enumerable: false },
    });
  }
}

nameErrors({ ConfigError });

function countOf(faults: readonly ConfigFault[]): string {
  return faults.length === 1
    ? "1 setting needs attention."
    : `${faults.length} settings need attention.`;
}

function lineOf(fault: ConfigFault): string {
  const seen = fault.seen === undefined ? "" : ` (seen: ${fault.seen})`;
  const names = [fault.variable, fault.option].filter((each) => each !== "");
  return `  ${[...new Set(names)].join(" / ")}: ${fault.message}${seen}. ${fault.remedy}`;
}

function presentable(fault: ConfigFault): ConfigFault {
  return fault.seen === undefined ? fault : { ...fault, seen: presentableValue(fault.seen) };
}

const maxLength = 100;

/**
 * Returns a value without the part before its last `@`, except the scheme. No parser is used: an
 * invalid address may still contain a password.
 */
function presentableValue(value: string): string {
  const text = oneLine(value).replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/i, "$1[hidden]@");
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
