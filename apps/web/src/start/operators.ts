import { hostname } from "node:os";

import type { Environment, Telemetry } from "latchkey";
import { createAudit } from "latchkey/audit";
import { createMetrics } from "latchkey/metrics";
import { healthListener } from "../serving/operators/health.ts";
import type { LineWriter } from "../serving/line-writer.ts";
import { openAuditFile } from "../serving/operators/audit-file.ts";
import { metricsListener } from "../serving/operators/metrics.ts";
import type { Logger } from "./log.ts";
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

/** Where lines go: those of the log, and those of the audit where it has no file. */
export interface Outputs {
  readonly output: LineWriter;
  readonly logger: Logger;
}

export function createOperators(
  environment: Environment,
  { baseURL, operation }: AppSettings,
  state: OperationState,
  outputs: Outputs,
): Operators {
  const { audit, health, metrics: reading } = operation;
  const prefixes = probePrefixes(environment, baseURL);
  const metrics = isRead(reading) ? createMetrics() : null;
  return {
    telemetry: [
      ...(metrics === null ? [] : [metrics]),
      ...(audit === undefined ? [] : [auditOf(audit, environment, outputs)]),
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

function auditOf(
  { to, ...audit }: AuditSettings,
  environment: Environment,
  { output, logger }: Outputs,
): Telemetry {
  const write =
    to === "stdout"
      ? (line: string) => output.writeDurably(`${line}\n`)
      : openAuditFile(to, (fault) => logger.error({ event: "audit-fault", ...fault }));
  return createAudit({
    ...audit,
    issuer: environment["LATCHKEY_ISSUER_BASE_URL"] ?? "",
    client: environment["LATCHKEY_CLIENT_ID"] ?? "",
    instance: `${hostname()}:${process.pid}`,
    write,
  });
}
