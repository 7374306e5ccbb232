import { levelOf, limitOwnFaults, type Log } from "latchkey";
import { pino, type DestinationStream, type Logger } from "pino";

import { createLineWriter, type LineWriter, standardOutput } from "../serving/line-writer.ts";

export type { Logger };

/** Names under which a secret might arrive by mistake; their values are never written. */
const neverWritten = [
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
];

/** One JSON line for each event. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  const options = {
    level: level in pino.levels.values || level === "silent" ? level : "info",
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: neverWritten.flatMap((name) => [`["${name}"]`, `*["${name}"]`]),
      censor: "[hidden]",
    },
  };
  return pino(options, destination);
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
export function logTo(logger: Logger, alsoTo: Log): Log {
  const write = limitOwnFaults(
    (event) => {
      const { event: name, ...facts } = event;
      logger[methods[levelOf(event)]]({ event: name, ...readable(facts) });
    },
    () => performance.now(),
  );
  return (event) => {
    alsoTo(event);
    write(event);
  };
}

/** An error in the log is its kind, its text and where it came from. */
function readable(facts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { error, ...rest } = facts;
  if (!(error instanceof Error)) return facts;
  return { ...rest, error: { name: error.name, message: error.message, stack: error.stack } };
}
