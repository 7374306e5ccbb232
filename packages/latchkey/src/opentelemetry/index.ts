import {
  type Attributes,
  type Meter,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type TracerProvider,
} from "@opentelemetry/api";

import { checkOptions, type OptionForm } from "../config/option-forms.ts";
import { version } from "../telemetry/version.ts";
import type { Operation, OperationEnd, Telemetry } from "../telemetry/telemetry.ts";
import { bounds, catalogue, type MetricDefinition, type MetricName } from "../metrics/catalogue.ts";
import {
  beginSeries,
  gaugesOf,
  withLabels,
  outcomeOf,
  recordEvent,
  recordMeasurement,
  type Sink,
  type Gauge,
} from "../metrics/record.ts";

/** For {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** The provider registered by the app, by default. */
  readonly tracerProvider?: TracerProvider;
  readonly meterProvider?: MeterProvider;
  /**
   * Leaves out the spans of calls to the provider, to the store, or both, for apps with
   * instrumented clients.
   */
  readonly without?: readonly ("provider" | "store")[];
}

const forms: Readonly<Record<keyof OpenTelemetryOptions, OptionForm>> = {
  tracerProvider: {
    expected: "must be a provider of tracers",
    isGood: (value) => hasMethod(value, "getTracer"),
    remedy: "Pass the provider of the SDK, or leave it out and register one.",
  },
  meterProvider: {
    expected: "must be a provider of meters",
    isGood: (value) => hasMethod(value, "getMeter"),
    remedy: "Pass the provider of the SDK, or leave it out and register one.",
  },
  without: {
    expected: 'must be a list of "provider" and "store"',
    isGood: (value) =>
      Array.isArray(value) && value.every((each) => each === "provider" || each === "store"),
  },
};

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === "object" && value !== null && typeof Reflect.get(value, name) === "function"
  );
}

/** The routes with a step of sign-in. Others are spans of the server alone. */
const tracedRoutes: ReadonlySet<string> = new Set([
  "login",
  "callback",
  "logout",
  "backchannel",
  "frontchannel",
]);

/**
 * Spans and metrics of OpenTelemetry. Pass it as `telemetry`; the app brings `@opentelemetry/api`
 * and registers an SDK. No attribute has an address with a query, a token, or the identity of a
 * user.
 *
 * @throws {ConfigError} with every fault of the options
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  checkOptions({ place: "openTelemetry", call: "openTelemetry()", options, forms });
  const {
    tracerProvider = trace.getTracerProvider(),
    meterProvider = metrics.getMeterProvider(),
    without = [],
  } = options;
  const tracer = tracerProvider.getTracer("latchkey", version);
  const meter = meterProvider.getMeter("latchkey", version);
  const sink = createSink(meter);
  beginSeries(sink);
  const untraced: ReadonlySet<string> = new Set(without);
  const isTraced = ({ kind, name }: Operation) =>
    kind === "route" ? tracedRoutes.has(name) : !untraced.has(kind);

  return {
    onOpen: (status, labelsOf) => observeGauges(meter, () => gaugesOf(status(), labelsOf)),
    onEvent: (event, labels) => recordEvent(withLabels(sink, labels), event),
    onMeasurement: (measurement, labels) =>
      recordMeasurement(withLabels(sink, labels), measurement),
    around: (operation, run) =>
      isTraced(operation)
        ? tracer.startActiveSpan(nameOf(operation), { kind: kindOf(operation) }, (span) =>
            endSpan(span, operation, run),
          )
        : run(),
  };
}

function observeGauges(meter: Meter, valuesNow: () => readonly Gauge[]): void {
  const gauges = new Map(
    Object.entries<MetricDefinition>(catalogue)
      .filter(([, { kind }]) => kind === "gauge" || kind === "up-down")
      .map(([name, { kind, unit, description }]) => [
        name,
        kind === "gauge"
          ? meter.createObservableGauge(name, { unit, description })
          : meter.createObservableUpDownCounter(name, { unit, description }),
      ]),
  );
  meter.addBatchObservableCallback(
    (result) => {
      for (const [name, attributes, value] of valuesNow()) {
        const gauge = gauges.get(name);
        if (gauge !== undefined) result.observe(gauge, value, attributes);
      }
    },
    [...gauges.values()],
  );
}

async function endSpan(
  span: Span,
  operation: Operation,
  run: () => Promise<OperationEnd>,
): Promise<OperationEnd> {
  const end = await run();
  span.setAttributes({ ...attributesOf(operation, end), ...placeIn(operation, end) });
  // What the person or the request is at fault for is no error of ours.
  if (end.reason !== undefined && (isCall(operation) || (end.status ?? 0) >= 500)) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: end.reason });
  }
  span.end();
  return end;
}

/** Of a partner; everything else happens here. */
function isCall({ kind }: Operation): boolean {
  return kind === "provider" || kind === "store";
}

function attributesOf(operation: Operation, end: OperationEnd): Attributes {
  const { status, reason } = end;
  const failed = reason === undefined ? {} : { "error.type": reason };
  if (isCall(operation)) {
    return { ...(status === undefined ? {} : { "http.response.status_code": status }), ...failed };
  }
  const { mode = "cookie", name } = operation;
  const { outcome = routeOutcome(end) } = end;
  return {
    "latchkey.outcome": outcome,
    "latchkey.mode": mode,
    ...(name === "refresh" ? { "latchkey.refresh.role": roleOf(outcome) } : {}),
    ...(reason === undefined ? {} : { "latchkey.reason": reason, ...failed }),
  };
}

/** A tracer keeps what it is given: the connection and the host as they are. */
function placeIn(operation: Operation, end: OperationEnd): Attributes {
  const { connection = operation.connection } = end;
  const { host } = operation;
  return {
    ...(connection === undefined ? {} : { "latchkey.connection": connection }),
    ...(host === undefined ? {} : { "latchkey.host": host }),
  };
}

function routeOutcome({ reason }: OperationEnd): string {
  return reason === undefined ? "success" : outcomeOf(reason);
}

const ofWaiters: ReadonlySet<string> = new Set(["shared", "waited", "in-hand"]);

/**
 * Returns the role of a request in a refresh: `owner` if it spends the refresh token, else
 * `waiter`.
 */
function roleOf(outcome: string): "owner" | "waiter" {
  return ofWaiters.has(outcome) ? "waiter" : "owner";
}

function nameOf(operation: Operation): string {
  const { kind, name } = operation;
  return isCall(operation) ? `latchkey ${kind} ${name}` : `latchkey ${name}`;
}

function kindOf(operation: Operation): SpanKind {
  return isCall(operation) ? SpanKind.CLIENT : SpanKind.INTERNAL;
}

/** One instrument for each metric, made when it is first needed. */
function createSink(meter: Meter): Sink {
  const records = new Map<MetricName, (value: number, attributes: Attributes) => void>();

  function create(metric: MetricName): (value: number, attributes: Attributes) => void {
    const { kind, unit, description }: MetricDefinition = catalogue[metric];
    if (kind === "counter") {
      const made = meter.createCounter(metric, { unit, description });
      return (value, attributes) => made.add(value, attributes);
    }
    const advice = unit === "1" ? {} : { explicitBucketBoundaries: [...bounds[unit]] };
    const made = meter.createHistogram(metric, { unit, description, advice });
    return (value, attributes) => made.record(value, attributes);
  }

  return {
    record(metric, attributes, value = 1) {
      let record = records.get(metric);
      if (record === undefined) records.set(metric, (record = create(metric)));
      record(value, attributes);
    },
  };
}
