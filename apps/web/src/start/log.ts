import { levelOf, limitOwnFaults, type Log } from "latchkey";
import { pino, type DestinationStream, type Logger } from "pino";

import { createLineWriter, type LineWriter, standardOutput } from "../serving/line-writer.ts";

export type { Logger };

/** Names under which a secret might arrive by mistake; their values are never written. */
const neverWritten = new Set([
  "accessToken",
  "access_token",
  "authorization",
  "client_secret",
  "clientSecret",
  "code",
  "code_verifier",
  "cookie",
  "idToken",
  "id_token",
  "logout_token",
  "nonce",
  "refreshToken",
  "refresh_token",
  "secret",
  "set-cookie",
  "state",
]);

/** What the `state` of store and provider may be. */
const conditions: ReadonlySet<unknown> = new Set(["up", "down", "read-only"]);

/** One JSON line for each event. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: toLogMembers },
  };
  return pino(options, destination);
}

/** The facts of a line as written. With `redact` of pino a line would take ten times as long. */
function toLogMembers(facts: object): Record<string, unknown> {
  const entries = Object.entries(facts).map(([name, value]: [string, unknown]) => [
    name,
    neverWritten.has(name) && !conditions.has(value) ? "[hidden]" : readable(value),
  ]);
  return Object.fromEntries(entries);
}

/** An error in the log has its kind, its text and its origin. */
function readable(value: unknown): unknown {
  if (value instanceof Error) {
    const { name, message, stack } = value;
    return { name, message, stack };
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? toLogMembers(value)
    : value;
}

/** Standard output, for lines of the log and of the audit. */
export function createOutput(): LineWriter {
  return createLineWriter(standardOutput(), (count) => {
    const time = new Date().toISOString();
    return `${JSON.stringify({ level: "warn", time, event: "lines-dropped", count })}\n`;
  });
}

const methods = { error: "error", warning: "warn", info: "info" } as const;

/** Writes the engine's events, each at its level. */
export function logTo(logger: Logger): Log {
  return limitOwnFaults(
    (event) => logger[methods[levelOf(event)]](event),
    () => performance.now(),
  );
}
