import { hostname } from "node:os";

import type { Environment, Telemetry } from "latchkey";
import { createAudit } from "latchkey/audit";
import { createMetrics } from "latchkey/metrics";
import { pino } from "pino";

import { healthListener } from "../serving/operators/health.ts";
import type { LineWriter } from "../serving/line-writer.ts";
import { metricsListener } from "../serving/operators/metrics.ts";
import type { AuditSettings, OperationSettings } from "./operation-settings.ts";
import type { OperationState } from "./operation-state.ts";
import { type PortListener, probePrefixes } from "./probes.ts";
import type { AppSettings } from "./settings.ts";

/** What is told to those who run the application. */
export interface Operators {
  readonly telemetry: readonly Telemetry[];
  /** Who is answered where; without a port, by the application itself. */
  readonly listeners: readonly PortListener[];
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
      {
        port: health.port,
        respond: healthListener({ health: state, prefixes, token: health.token }),
      },
      ...(metrics === null
        ? []
        : [{ port: reading.port, respond: metricsListener(metrics, reading.token) }]),
    ],
  };
}

function isRead({ port, token }: OperationSettings["metrics"]): boolean {
  return port !== undefined || token !== undefined;
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
