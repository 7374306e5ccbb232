import type { Measurement, Telemetry } from "../telemetry/telemetry.ts";
import { createRegistry } from "./prometheus.ts";
import type { Labels } from "../telemetry/place.ts";
import {
  beginSeries,
  type Gauge,
  gaugesOf,
  withLabels,
  recordEvent,
  recordMeasurement,
} from "./record.ts";

/** Telemetry for Prometheus. */
export interface Metrics extends Required<Omit<Telemetry, "around">> {
  /** All metrics in the text format of Prometheus, for a response of the type `contentType`. */
  text(): string;
  /** For the header `Content-Type` of the response with the text. */
  readonly contentType: string;
}

/** Measurements recorded in batches cost a third of single ones. */
const recordedTogether = 500;

/**
 * Counts what sign-in does. Pass it as `telemetry`, and answer the requests of Prometheus with its
 * text; they must not come from outside.
 */
export function createMetrics(): Metrics {
  const registry = createRegistry();
  beginSeries(registry);
  const unrecorded: Measurement[] = [];
  /** Those of each measurement, at the same place of the list. */
  const unrecordedLabels: (Labels | undefined)[] = [];
  function recordAll(): void {
    unrecorded.forEach((measurement, place) =>
      recordMeasurement(withLabels(registry, unrecordedLabels[place]), measurement),
    );
    unrecorded.length = 0;
    unrecordedLabels.length = 0;
  }
  let gauges: () => readonly Gauge[] = () => [];
  return {
    contentType: "text/plain; version=0.0.4; charset=utf-8",
    text() {
      recordAll();
      return registry.text(gauges());
    },
    onOpen: (status, labelsOf) => void (gauges = () => gaugesOf(status(), labelsOf)),
    onEvent: (event, labels) => recordEvent(withLabels(registry, labels), event),
    onMeasurement(measurement, labels) {
      unrecordedLabels.push(labels);
      if (unrecorded.push(measurement) === recordedTogether) recordAll();
    },
  };
}
