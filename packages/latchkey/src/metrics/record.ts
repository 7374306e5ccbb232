import type { LogEvent } from "../telemetry/log-event.ts";
import type { Labels } from "../telemetry/place.ts";
import type { Measurement, ProviderStatus, Status } from "../telemetry/telemetry.ts";
import { type Reason, reasons } from "../errors/reasons.ts";
import type { MetricName } from "./catalogue.ts";

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Takes values in, whatever becomes of them. */
export interface Sink {
  /** Counts one or so many, or records a value of a histogram. */
  readonly record: (metric: MetricName, attributes: Attributes, value?: number) => void;
}

/** The same sink, which records with the labels of a place. */
export function withLabels(sink: Sink, labels: Labels = {}): Sink {
  const { connection, host } = labels;
  if (connection === undefined && host === undefined) return sink;
  const place = {
    ...(connection !== undefined && { connection }),
    ...(host !== undefined && { host }),
  };
  return {
    record: (metric, attributes, value) => sink.record(metric, { ...attributes, ...place }, value),
  };
}

/**
 * Creates the series watched by alerts, and those of successes, with 0: Prometheus does not see an
 * increase of a series with the first value 1.
 */
export function beginSeries({ record }: Sink): void {
  record("latchkey.sign_in.count", { outcome: "success", reason: "none" }, 0);
  record("latchkey.refresh.lease_lost.count", {}, 0);
  record("latchkey.key.open.count", { key: "none", position: "unknown" }, 0);
}

/** What an event says in numbers. */
export function recordEvent({ record }: Sink, event: LogEvent): void {
  switch (event.event) {
    case "sign-in":
      record("latchkey.sign_in.count", { outcome: "success", reason: "none" });
      if (event.durationMs === undefined) return;
      return record("latchkey.sign_in.duration", { outcome: "success" }, event.durationMs / 1000);
    case "refusal": {
      if (event.route !== "login" && event.route !== "callback") return;
      const outcome = outcomeOf(event.reason);
      record("latchkey.sign_in.count", { outcome, reason: event.reason });
      if (event.durationMs === undefined) return;
      return record("latchkey.sign_in.duration", { outcome }, event.durationMs / 1000);
    }
    case "sign-out": {
      const { reason, pending = false } = event;
      return record("latchkey.sign_out.count", { reason, pending });
    }
    case "refresh": {
      const { outcome, durationMs = 0 } = event;
      return record("latchkey.refresh.duration", { outcome }, durationMs / 1000);
    }
    case "lease-lost":
      return record("latchkey.refresh.lease_lost.count", {});
    case "token-revocation":
      return record("latchkey.revocation.count", { token: event.token, outcome: event.outcome });
    default:
  }
}

/** What a measurement says in numbers. */
export function recordMeasurement({ record }: Sink, measurement: Measurement): void {
  switch (measurement.of) {
    case "session-read": {
      const { result, reason = "none" } = measurement;
      return record("latchkey.session.read.count", { result, reason });
    }
    case "key-open": {
      const { key, position } = measurement;
      return record("latchkey.key.open.count", { key, position });
    }
    case "key-seal":
      return record("latchkey.key.seal.count", { key: measurement.key });
    case "device-proof":
      return record("latchkey.device.proof.count", { outcome: measurement.outcome });
    case "event-loop-blocked":
      return record("latchkey.event_loop.blocked.count", {});
    case "cookie-size": {
      const { cookie, bytes } = measurement;
      return record("latchkey.cookie.size", { cookie }, bytes);
    }
    case "store-operation": {
      const { store, operation, durationMs, fault } = measurement;
      const attributes =
        fault === undefined ? { store, operation } : { store, operation, "error.type": fault };
      return record("latchkey.store.operation.duration", attributes, durationMs / 1000);
    }
    case "provider-request": {
      const { endpoint, durationMs, status, reason } = measurement;
      const attributes = {
        endpoint,
        ...(status === undefined ? {} : { "http.response.status_code": status }),
        ...(reason === undefined ? {} : { "error.type": reason }),
      };
      return record("latchkey.provider.request.duration", attributes, durationMs / 1000);
    }
  }
}

/** A sign-in cancelled by the user is no refusal. */
export function outcomeOf(reason: string): "cancelled" | "refused" {
  return isReason(reason) && reasons[reason].page === "cancelled" ? "cancelled" : "refused";
}

function isReason(text: string): text is Reason {
  return Object.hasOwn(reasons, text);
}

export type Gauge = readonly [MetricName, Attributes, number];

/**
 * The values of all gauges.
 *
 * @param labelsOf - the bounded name of a connection
 */
export function gaugesOf(
  { provider, connections, store, pendingSignOuts, openStreams }: Status,
  labelsOf: (place: Labels) => Labels = (place) => place,
): readonly Gauge[] {
  const providers =
    connections.length === 0
      ? gaugesOfProvider(provider, {})
      : connections.flatMap(({ connection: id, ...each }) => {
          const { connection = id } = labelsOf({ connection: id });
          return gaugesOfProvider(each, { connection });
        });
  return [
    ...largestOf(providers),
    ...(store === "none" ? [] : [["latchkey.store.state", {}, storeStates[store]] as const]),
    ["latchkey.mark.pending", {}, pendingSignOuts],
    ["latchkey.stream.open", {}, openStreams],
  ];
}

function gaugesOfProvider(
  { state, metadataAgeMs, keysAgeMs }: ProviderStatus,
  labels: Attributes,
): readonly Gauge[] {
  const ages = Object.entries({ metadata: metadataAgeMs, keys: keysAgeMs });
  return [
    ...ages.flatMap(([document, ageMs]): Gauge[] =>
      ageMs === null ? [] : [["latchkey.provider.age", { document, ...labels }, ageMs / 1000]],
    ),
    ["latchkey.provider.state", labels, state === "up" ? 0 : 2],
  ];
}

/** The worst one of those with the same labels. */
function largestOf(gauges: readonly Gauge[]): readonly Gauge[] {
  const largest = new Map<string, Gauge>();
  for (const gauge of gauges) {
    const [metric, attributes, value] = gauge;
    const key = JSON.stringify([metric, attributes]);
    const known = largest.get(key);
    if (known === undefined || known[2] < value) largest.set(key, gauge);
  }
  return [...largest.values()];
}

const storeStates = { up: 0, "read-only": 1, down: 2 } as const;
