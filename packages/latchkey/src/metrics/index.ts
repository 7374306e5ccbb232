import { ambient } from "../config/ambient.ts";
import type { Status, Telemetry } from "../config/telemetry.ts";
import { createRegistry } from "./prometheus.ts";
import {
  beginSeries,
  gaugesOf,
  recordEvent,
  recordMeasurement,
  recordOperation,
} from "./record.ts";

/** Telemetry that Prometheus can read. */
export interface Metrics extends Required<Telemetry> {
  /** All metrics in the text format of Prometheus, for a response of the type `contentType`. */
  text(): string;
  /** For the header `Content-Type` of the response that carries the text. */
  readonly contentType: string;
}

/**
 * Counts what sign-in does. Pass it as `telemetry`, and answer the requests of Prometheus with its
 * text; they must not come from outside.
 */
export function createMetrics(): Metrics {
  const registry = createRegistry();
  beginSeries(registry);
  let status: (() => Status) | undefined;
  return {
    contentType: "text/plain; version=0.0.4; charset=utf-8",
    text: () => registry.text(status === undefined ? [] : gaugesOf(status())),
    onOpen: (opened) => void (status = opened),
    onEvent: (event) => recordEvent(registry, event),
    onMeasurement: (measurement) => recordMeasurement(registry, measurement),
    async around(operation, run) {
      if (operation.kind === "route" || operation.kind === "session") return run();
      const start = ambient.monotonic();
      const end = await run();
      recordOperation(registry, operation, end, ambient.monotonic() - start);
      return end;
    },
  };
}
