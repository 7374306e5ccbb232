import { type ConfigFault, type Environment, optionsFromEnvironment } from "latchkey";
import * as v from "valibot";

import type { DrainTimes } from "../../serving/drain.ts";
import { faultOf, port, readVariables, text, type Values } from "./variables.ts";

const secondsRule = "must be a number of seconds";
const seconds = v.pipe(
  v.string(),
  v.regex(/^\d*\.?\d+$/, secondsRule),
  v.transform(Number),
  v.finite(secondsRule),
);

/** The schema of each variable about the operation of the application. */
export const operationVariables = {
  LATCHKEY_AUDIT: text,
  LATCHKEY_AUDIT_KEY: text,
  LATCHKEY_AUDIT_PERSON: v.picklist(["hash", "sub"], "must be hash or sub"),
  LATCHKEY_DRAIN_DELAY: seconds,
  LATCHKEY_DRAIN_LIMIT: seconds,
  LATCHKEY_HEALTH_PORT: port,
  LATCHKEY_HEALTH_TOKEN: text,
  LATCHKEY_METRICS_PORT: port,
  LATCHKEY_METRICS_TOKEN: text,
  LATCHKEY_START_WITHOUT_STORE: text,
};

/** Start, reports and end of the application. */
export interface OperationSettings {
  readonly drain: DrainTimes;
  readonly health: {
    /** The port of the probes; without one, the port of the application. */
    readonly port: number | undefined;
    /** A request with this token gets details. */
    readonly token: string | undefined;
  };
  /**
   * The access of Prometheus: on a port of its own, or with a token. Without both, nothing is
   * measured.
   */
  readonly metrics: { readonly port: number | undefined; readonly token: string | undefined };
  /** `undefined` without an audit. */
  readonly audit: AuditSettings | undefined;
  /** Whether to start, and wait, if the store does not respond. */
  readonly startsWithoutStore: boolean;
}

/** The output of the audit, and its names of people. */
export interface AuditSettings {
  /** `stdout`, or the path of a file to append to. */
  readonly to: string;
  readonly key: string;
  readonly person: "hash" | "sub";
}

const limitSeconds = 25;
const productionDelaySeconds = 5;
const httpTimeoutMs = 5000;

/**
 * Never throws: its faults are reported together with those of the other settings.
 *
 * @param ownPort - of the application
 */
export function readOperationSettings(
  environment: Environment,
  { production, port: ownPort }: { readonly production: boolean; readonly port: number },
): { readonly operation: OperationSettings; readonly faults: readonly ConfigFault[] } {
  const { values, faults: unread } = readVariables(environment, operationVariables);
  const delay = values.LATCHKEY_DRAIN_DELAY ?? (production ? productionDelaySeconds : 0);
  const limit = values.LATCHKEY_DRAIN_LIMIT ?? limitSeconds;
  const { audit, faults: auditFaults } = auditFrom(values);
  const faults = [...unread, ...auditFaults, ...portFaults(values, ownPort)];
  const shortest = delay + (4 * httpTimeoutOf(environment)) / 1000;
  if (unread.length === 0 && limit < shortest) {
    const reason = `must be at least ${shortest}: the drain delay and four times LATCHKEY_HTTP_TIMEOUT, so that a sign-in under way can end`;
    faults.push(
      faultOf("LATCHKEY_DRAIN_LIMIT", reason, { seen: environment["LATCHKEY_DRAIN_LIMIT"] }),
    );
  }
  return {
    operation: {
      drain: { delayMs: delay * 1000, limitMs: limit * 1000 },
      health: { port: values.LATCHKEY_HEALTH_PORT, token: values.LATCHKEY_HEALTH_TOKEN },
      metrics: { port: values.LATCHKEY_METRICS_PORT, token: values.LATCHKEY_METRICS_TOKEN },
      audit,
      startsWithoutStore: /^(?:true|yes|y|on|1)$/i.test(values.LATCHKEY_START_WITHOUT_STORE ?? ""),
    },
    faults,
  };
}

type OperationValues = Values<typeof operationVariables>;

/** The application listens on its own port already, with the same paths. */
function portFaults(values: OperationValues, ownPort: number): readonly ConfigFault[] {
  const others = [
    ["LATCHKEY_HEALTH_PORT", "Choose another port, or leave it out: PORT answers probes, too."],
    [
      "LATCHKEY_METRICS_PORT",
      "Choose another port, or set LATCHKEY_METRICS_TOKEN instead: then PORT serves /metrics, too.",
    ],
  ] as const;
  return others
    .filter(([variable]) => ownPort !== 0 && values[variable] === ownPort)
    .map(([variable, remedy]) =>
      faultOf(variable, "must not be the PORT of the app", { seen: String(ownPort), remedy }),
    );
}

const shortestAuditKey = 16;

function auditFrom(values: OperationValues): {
  readonly audit?: AuditSettings;
  readonly faults: readonly ConfigFault[];
} {
  const { LATCHKEY_AUDIT: to, LATCHKEY_AUDIT_KEY: key = "" } = values;
  if (to === undefined) return { faults: [] };
  if (key.length < shortestAuditKey) {
    const reason = `must have at least ${shortestAuditKey} characters: it hides in the audit who people are`;
    const remedy = "Set it to what `openssl rand -base64 32` prints, or leave LATCHKEY_AUDIT out.";
    return { faults: [faultOf("LATCHKEY_AUDIT_KEY", reason, { remedy })] };
  }
  return { audit: { to, key, person: values.LATCHKEY_AUDIT_PERSON ?? "hash" }, faults: [] };
}

function httpTimeoutOf(environment: Environment): number {
  const { httpTimeout } = optionsFromEnvironment(environment).options;
  return typeof httpTimeout === "number" ? httpTimeout : httpTimeoutMs;
}
