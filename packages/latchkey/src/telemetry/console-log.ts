import { oneLine } from "../errors/one-line.ts";
import { levelOf, type Log, type LogEvent, type LogLevel } from "./log-event.ts";

export interface ConsoleLogOptions {
  /** JSON for machines instead of lines for people. */
  readonly production: boolean;
  /** Receives each line, without a line break. */
  readonly write: (line: string) => void;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

type Facts = Readonly<Record<string, unknown>>;

/** So many causes of an error are written; an error may even be its own cause. */
const maxCauses = 4;

/**
 * Writes warnings and errors, one line each. Never throws: a failing log must not fail a sign-in.
 */
export function consoleLog({ production, write, clock }: ConsoleLogOptions): Log {
  return (event) => {
    const level = levelOf(event);
    if (level === "info") return;
    try {
      write(production ? jsonLine(event, level, clock()) : readableLine(event, level));
    } catch {
      // There is nowhere left to report it.
    }
  };
}

function jsonLine(event: LogEvent, level: LogLevel, now: number): string {
  const { event: name, ...facts } = event;
  const line = { time: new Date(now).toISOString(), level, event: name, ...facts };
  return JSON.stringify(line, (key, value: unknown) => {
    if (typeof value === "string") return oneLine(value);
    return key === "error" && value !== undefined ? errorFacts(value) : value;
  });
}

function errorFacts(error: unknown, causes = maxCauses): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const facts = { name, message, stack: stack?.split("\n").filter(isFrame) };
  return hasCause(cause, causes) ? { ...facts, cause: errorFacts(cause, causes - 1) } : facts;
}

function hasCause(cause: unknown, causes: number): boolean {
  return cause !== undefined && causes > 0;
}

/**
 * e.g. `latchkey warning: refusal state_mismatch (route callback, reference 7F3K-92QD): no cookie`.
 */
function readableLine(event: LogEvent, level: LogLevel): string {
  if (event.event === "warning") return oneLine(`latchkey ${level}: ${event.message}`);
  const { event: name, reason, detail, error, ...facts }: Facts = { ...event };
  const title = [name, reason].flatMap(textIfAny).join(" ");
  const others = Object.entries(facts).flatMap(([key, value]) =>
    textIfAny(value).map((text) => `${key} ${text}`),
  );
  const brackets = others.length === 0 ? "" : ` (${others.join(", ")})`;
  const story = [...textIfAny(detail), ...(error === undefined ? [] : [errorText(error)])];
  return oneLine([`latchkey ${level}: ${title}${brackets}`, ...story].join(": "));
}

function textIfAny(value: unknown): readonly string[] {
  if (value === undefined) return [];
  return [typeof value === "string" ? value : JSON.stringify(value)];
}

/** An error with its causes, and the place in the code of the last one. */
function errorText(error: unknown, causes = maxCauses): string {
  if (!(error instanceof Error)) return String(error);
  const text = `${error.name}: ${error.message}`;
  if (hasCause(error.cause, causes)) {
    return `${text}, caused by ${errorText(error.cause, causes - 1)}`;
  }
  const frame = error.stack?.split("\n").find(isFrame);
  return frame === undefined ? text : `${text} (${frame.trim()})`;
}

function isFrame(line: string): boolean {
  return /^\s*at /.test(line);
}
