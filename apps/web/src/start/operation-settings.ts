import { type ConfigFault, type Environment, optionsFromEnvironment } from "latchkey";

import type { DrainTimes } from "../serving/drain.ts";

/** Variables about how the application is run. */
export const operationVariables = [
  "LATCHKEY_AUDIT",
  "LATCHKEY_AUDIT_KEY",
  "LATCHKEY_AUDIT_PERSON",
  "LATCHKEY_DRAIN_DELAY",
  "LATCHKEY_DRAIN_LIMIT",
  "LATCHKEY_HEALTH_PORT",
  "LATCHKEY_HEALTH_TOKEN",
  "LATCHKEY_METRICS_PORT",
  "LATCHKEY_METRICS_TOKEN",
  "LATCHKEY_START_WITHOUT_STORE",
] as const;

type OperationVariable = (typeof operationVariables)[number];

/** How the application starts, tells of itself and ends. */
export interface OperationSettings {
  readonly drain: DrainTimes;
  readonly health: {
    /** Where probes are answered; where there is none, by the application itself. */
    readonly port?: number;
    /** Whoever has it is told details; others only from this machine. */
    readonly token?: string;
  };
  /** Where Prometheus reads: on a port of its own, or with a token. Neither: nothing is measured. */
  readonly metrics: { readonly port?: number; readonly token?: string };
  /** Absent where nothing is audited. */
  readonly audit?: AuditSettings;
  /** Whether to start, and wait, where the store does not answer yet. */
  readonly startsWithoutStore: boolean;
}

/** Where the lines of the audit go, and how they name people. */
export interface AuditSettings {
  /** `stdout`, or the path of a file that they are appended to. */
  readonly to: string;
  readonly key: string;
  readonly person: "hash" | "sub";
}

const limitSeconds = 25;
const productionDelaySeconds = 5;
const httpTimeoutMs = 5000;

/** Never throws: faults are told together with those of the other settings. */
export function readOperationSettings(
  environment: Environment,
  production: boolean,
): { readonly operation: OperationSettings; readonly faults: readonly ConfigFault[] } {
  const read = (variable: OperationVariable) => environment[variable]?.trim() || undefined;
  const faults: ConfigFault[] = [];

  function seconds(variable: OperationVariable, byDefault: number): number {
    const text = read(variable);
    const value = Number(text ?? byDefault);
    if (Number.isFinite(value) && value >= 0) return value;
    faults.push(fault(variable, "must be a number of seconds", text));
    return byDefault;
  }

  function port(variable: OperationVariable): number | undefined {
    const text = read(variable);
    const value = Number(text);
    if (text === undefined || (Number.isInteger(value) && value >= 0 && value < 65_536)) {
      return text === undefined ? undefined : value;
    }
    faults.push(fault(variable, "must be a whole number from 0 to 65535", text));
    return undefined;
  }

  const delay = seconds("LATCHKEY_DRAIN_DELAY", production ? productionDelaySeconds : 0);
  const limit = seconds("LATCHKEY_DRAIN_LIMIT", limitSeconds);
  const shortest = delay + (4 * httpTimeoutOf(environment)) / 1000;
  if (faults.length === 0 && limit < shortest) {
    const reason = `must be at least ${shortest}: the drain delay and four times LATCHKEY_HTTP_TIMEOUT, so that a sign-in under way can end`;
    faults.push(fault("LATCHKEY_DRAIN_LIMIT", reason, read("LATCHKEY_DRAIN_LIMIT")));
  }
  function listening(portVariable: OperationVariable, tokenVariable: OperationVariable) {
    const at = port(portVariable);
    const token = read(tokenVariable);
    return { ...(at === undefined ? {} : { port: at }), ...(token === undefined ? {} : { token }) };
  }

  const audit = auditFrom(read, faults);
  return {
    operation: {
      drain: { delayMs: delay * 1000, limitMs: limit * 1000 },
      health: listening("LATCHKEY_HEALTH_PORT", "LATCHKEY_HEALTH_TOKEN"),
      metrics: listening("LATCHKEY_METRICS_PORT", "LATCHKEY_METRICS_TOKEN"),
      ...(audit === null ? {} : { audit }),
      startsWithoutStore: /^(?:true|yes|y|on|1)$/i.test(read("LATCHKEY_START_WITHOUT_STORE") ?? ""),
    },
    faults,
  };
}

const shortestAuditKey = 16;

function auditFrom(
  read: (variable: OperationVariable) => string | undefined,
  faults: ConfigFault[],
): AuditSettings | null {
  const to = read("LATCHKEY_AUDIT");
  if (to === undefined) return null;
  const key = read("LATCHKEY_AUDIT_KEY") ?? "";
  const person = read("LATCHKEY_AUDIT_PERSON") ?? "hash";
  if (key.length < shortestAuditKey) {
    const reason = `must have at least ${shortestAuditKey} characters: it hides in the audit who people are`;
    faults.push(fault("LATCHKEY_AUDIT_KEY", reason));
  }
  if (person === "hash" || person === "sub") return { to, key, person };
  faults.push(fault("LATCHKEY_AUDIT_PERSON", "must be hash or sub", person));
  return null;
}

function httpTimeoutOf(environment: Environment): number {
  const { httpTimeout } = optionsFromEnvironment(environment).options;
  return typeof httpTimeout === "number" ? httpTimeout : httpTimeoutMs;
}

function fault(variable: OperationVariable, message: string, seen?: string): ConfigFault {
  return {
    option: variable,
    variable,
    message,
    ...(seen === undefined ? {} : { seen }),
    remedy: `Change ${variable}, or leave it out.`,
  };
}
