import { hostname } from "node:os";

import { ConfigError, type Environment, type Telemetry } from "latchkey";
import { createAudit } from "latchkey/audit";
import { createMetrics } from "latchkey/metrics";

import type { LineWriter } from "../../serving/line-writer.ts";
import type { Logger } from "../log.ts";
import type { AuditSettings, OperationSettings } from "../settings/operation-settings.ts";
import { type AppSettings, isLoopback } from "../settings/settings.ts";
import { openAuditFile } from "./audit-file.ts";
import { addHealth } from "./health.ts";
import { addMetrics } from "./metrics.ts";
import type { OperationState } from "./operation-state.ts";
import { createOperatorApps, type OperatorApps } from "./operator-apps.ts";
import { probePrefixes } from "./probes.ts";

/** What the operators of the application get. */
export interface Operators {
  readonly telemetry: readonly Telemetry[];
  readonly apps: OperatorApps;
}

/** The outputs of the log, and of an audit without a file. */
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
  const apps = createOperatorApps();
  addHealth(apps.at(health.port), {
    health: state,
    prefixes: probePrefixes(environment, baseURL),
    token: health.token,
    // A proxy on this machine may pass on requests without saying so, but not to a port of our own.
    trustsLoopback: health.port !== undefined || isLoopback(baseURL),
  });
  const telemetry: Telemetry[] = [];
  if (isRead(reading)) {
    const metrics = createMetrics();
    addMetrics(apps.at(reading.port), metrics, reading.token);
    telemetry.push(metrics);
  }
  if (audit !== undefined) telemetry.push(auditOf(audit, environment, outputs));
  return { telemetry, apps };
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
