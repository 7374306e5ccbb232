import { hostname } from "node:os";

import type { Telemetry } from "latchkey";
import { createAudit } from "latchkey/audit";
import { createMetrics, type Metrics } from "latchkey/metrics";
import { pino } from "pino";

import { healthListener, type OperatorListener } from "../serving/operators/health.ts";
import type { LineWriter } from "../serving/line-writer.ts";
import { metricsListener } from "../serving/operators/metrics.ts";
import type { AuditSettings, OperationSettings } from "./operation-settings.ts";
import type { OperationState } from "./operation-state.ts";
import { probePrefixes } from "./probes.ts";
import type { AppSettings, Environment } from "./settings.ts";

/** What is told to those who run the application. */
export interface Operators {
  readonly telemetry: readonly Telemetry[];
  /** Who is answered where; without a port, by the application itself. */
  readonly listeners: readonly { readonly port?: number; readonly respond: OperatorListener }[];
}

export function createOperators(
  environment: Environment,
  { baseURL, operation }: AppSettings,
  state: OperationState,
  output: LineWriter,
): Operators {
  const { audit, health, metrics: reading } = operation;
  const prefixes = probePrefixes(environment, baseURL);
  const metrics = isRead(reading) ? createMetrics() : null;
  return {
    telemetry: [
      ...(metrics === null ? [] : [metrics]),
      ...(audit === undefined ? [] : [auditOf(audit, environment, output)]),
    ],
    listeners: [
      { ...portOf(health), respond: healthListener({ ...health, health: state, prefixes }) },
      ...(metrics === null ? [] : [metricsAt(metrics, reading)]),
    ],
  };
}

function isRead({ port, token }: OperationSettings["metrics"]): boolean {
  return port !== undefined || token !== undefined;
}

function metricsAt(metrics: Metrics, reading: OperationSettings["metrics"]) {
  return { ...portOf(reading), respond: metricsListener(metrics, reading.token) };
}

function portOf({ port }: { readonly port?: number }): { readonly port?: number } {
  return port === undefined ? {} : { port };
}

function auditOf({ to, ...audit }: AuditSettings, environment: Environment, output: LineWriter) {
  const file = to === "stdout" ? null : pino.destination({ dest: to, mkdir: true, sync: false });
  return createAudit({
    ...audit,
    issuer: environment["LATCHKEY_ISSUER_BASE_URL"] ?? "",
    client: environment["LATCHKEY_CLIENT_ID"] ?? "",
    instance: `${hostname()}:${process.pid}`,
    write: (line) =>
      file === null ? output.writeDurably(`${line}\n`) : void file.write(`${line}\n`),
  });
}
