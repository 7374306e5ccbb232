import { type ConfigFault, type Environment, optionsFromEnvironment } from "latchkey";

import type { DrainTimes } from "../../serving/drain.ts";
import { type EnvironmentReader, environmentReader } from "./environment-reader.ts";

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
    readonly port: number | undefined;
    /** Whoever has it is told details; others only from this machine. */
    readonly token: string | undefined;
  };
  /** Where Prometheus reads: on a port of its own, or with a token. Neither: nothing is measured. */
  readonly metrics: { readonly port: number | undefined; readonly token: string | undefined };
  /** `undefined` where nothing is audited. */
  readonly audit: AuditSettings | undefined;
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
  const reader = environmentReader<OperationVariable>(environment);
  const { text, port, faults } = reader;
  const seconds = (variable: OperationVariable) =>
    reader.value(variable, secondsIn, "must be a number of seconds");
  const delay = seconds("LATCHKEY_DRAIN_DELAY") ?? (production ? productionDelaySeconds : 0);
  const limit = seconds("LATCHKEY_DRAIN_LIMIT") ?? limitSeconds;
  const shortest = delay + (4 * httpTimeoutOf(environment)) / 1000;
  if (faults.length === 0 && limit < shortest) {
    const reason = `must be at least ${shortest}: the drain delay and four times LATCHKEY_HTTP_TIMEOUT, so that a sign-in under way can end`;
    reader.fault("LATCHKEY_DRAIN_LIMIT", reason, text("LATCHKEY_DRAIN_LIMIT"));
  }
  return {
    operation: {
      drain: { delayMs: delay * 1000, limitMs: limit * 1000 },
      health: { port: port("LATCHKEY_HEALTH_PORT"), token: text("LATCHKEY_HEALTH_TOKEN") },
      metrics: { port: port("LATCHKEY_METRICS_PORT"), token: text("LATCHKEY_METRICS_TOKEN") },
      audit: auditFrom(reader),
      startsWithoutStore: /^(?:true|yes|y|on|1)$/i.test(text("LATCHKEY_START_WITHOUT_STORE") ?? ""),
    },
    faults,
  };
}

function secondsIn(text: string): number | null {
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

const shortestAuditKey = 16;

function auditFrom({
  text,
  value,
  fault,
}: EnvironmentReader<OperationVariable>): AuditSettings | undefined {
  const to = text("LATCHKEY_AUDIT");
  if (to === undefined) return undefined;
  const key = text("LATCHKEY_AUDIT_KEY") ?? "";
  if (key.length < shortestAuditKey) {
    const reason = `must have at least ${shortestAuditKey} characters: it hides in the audit who people are`;
    const remedy = "Set it to what `openssl rand -base64 32` prints, or leave LATCHKEY_AUDIT out.";
    return fault("LATCHKEY_AUDIT_KEY", reason, undefined, remedy);
  }
  const person = value("LATCHKEY_AUDIT_PERSON", personIn, "must be hash or sub") ?? "hash";
  return { to, key, person };
}

function personIn(text: string): AuditSettings["person"] | null {
  return text === "hash" || text === "sub" ? text : null;
}

function httpTimeoutOf(environment: Environment): number {
  const { httpTimeout } = optionsFromEnvironment(environment).options;
  return typeof httpTimeout === "number" ? httpTimeout : httpTimeoutMs;
}
