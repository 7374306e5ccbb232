import { hostname } from "node:os";

import { ConfigError, type Environment, type Telemetry } from "latchkey";
import { createAudit } from "latchkey/audit";
import { createMetrics } from "latchkey/metrics";
import { healthListener } from "../../serving/operators/health.ts";
import type { LineWriter } from "../../serving/line-writer.ts";
import { openAuditFile } from "../../serving/operators/audit-file.ts";
import { metricsListener } from "../../serving/operators/metrics.ts";
import type { Logger } from "../log.ts";
import type { AuditSettings, OperationSettings } from "../settings/operation-settings.ts";
import type { OperationState } from "./operation-state.ts";
import { type PortListener, probePrefixes } from "./probes.ts";
import type { AppSettings } from "../settings/settings.ts";

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
      : openedOrFault(to, (fault) => logger.error({ event: "audit-fault", ...fault }));
  return createAudit({
    ...audit,
    issuer: environment["LATCHKEY_ISSUER_BASE_URL"] ?? "",
    client: environment["LATCHKEY_CLIENT_ID"] ?? "",
    instance: `${hostname()}:${process.pid}`,
    write,
  });
}

function openedOrFault(...[path, onFault]: Parameters<typeof openAuditFile>) {
  try {
    return openAuditFile(path, onFault);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `names a file that cannot be opened: ${reason}`;
    const remedy = "Name a file that this process may write, or stdout, or leave it out.";
    throw new ConfigError([
      { option: "LATCHKEY_AUDIT", variable: "LATCHKEY_AUDIT", message, seen: path, remedy },
    ]);
  }
}
