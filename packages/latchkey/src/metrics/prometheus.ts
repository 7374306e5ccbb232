import { bounds, catalogue, type MetricDefinition, type MetricName } from "./catalogue.ts";
import type { Attributes, Sink } from "./record.ts";

/** Keeps values, and writes them as Prometheus reads them (text format 0.0.4). */
export interface Registry extends Sink {
  text(gauges: readonly (readonly [MetricName, Attributes, number])[]): string;
}

interface Series {
  readonly attributes: Attributes;
  count: number;
  sum: number;
  readonly limits: readonly number[];
  /** How many values lie in each bucket alone. */
  readonly buckets: number[];
}

export function createRegistry(): Registry {
  const all = new Map<MetricName, Map<string, Series>>();

  function seriesOf(metric: MetricName, attributes: Attributes): Series {
    let ofMetric = all.get(metric);
    if (ofMetric === undefined) all.set(metric, (ofMetric = new Map()));
    // Every request comes by here several times.
    let key = "";
    for (const name in attributes) key += `${attributes[name]}\0`;
    let series = ofMetric.get(key);
    if (series === undefined) {
      const limits = boundsOf(catalogue[metric]);
      const buckets = limits.map(() => 0);
      ofMetric.set(key, (series = { attributes, count: 0, sum: 0, limits, buckets }));
    }
    return series;
  }

  return {
    record(metric, attributes, value = 1) {
      const series = seriesOf(metric, attributes);
      series.count += 1;
      series.sum += value;
      const { limits, buckets } = series;
      let bucket = 0;
      while (value > (limits[bucket] ?? Infinity)) bucket += 1;
      if (bucket < limits.length) buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    },
    text(gauges) {
      const counted = [...all].flatMap(([metric, series]) => [
        ...headOf(metric),
        ...[...series.values()].flatMap((each) => linesOf(metric, each)),
      ]);
      const names = [...new Set(gauges.map(([metric]) => metric))];
      const measured = names.flatMap((name) => [
        ...headOf(name),
        ...gauges
          .filter(([metric]) => metric === name)
          .map(([metric, attributes, value]) => line(prometheusName(metric), attributes, value)),
      ]);
      return [...counted, ...measured, ""].join("\n");
    },
  };
}

/** e.g. `latchkey_sign_in_count_total`, `latchkey_refresh_duration_seconds`. */
export function prometheusName(metric: MetricName): string {
  const { kind, unit }: MetricDefinition = catalogue[metric];
  const units = { s: "_seconds", By: "_bytes", 1: "" };
  return `${metric.replaceAll(".", "_")}${units[unit]}${kind === "counter" ? "_total" : ""}`;
}

function boundsOf({ kind, unit }: MetricDefinition): readonly number[] {
  return kind === "histogram" && unit !== "1" ? bounds[unit] : [];
}

function headOf(metric: MetricName): readonly string[] {
  const { kind, description }: MetricDefinition = catalogue[metric];
  const name = prometheusName(metric);
  return [
    `# HELP ${name} ${description}.`,
    `# TYPE ${name} ${kind === "up-down" ? "gauge" : kind}`,
  ];
}

function linesOf(
  metric: MetricName,
  { attributes, count, sum, limits, buckets }: Series,
): string[] {
  const name = prometheusName(metric);
  const definition: MetricDefinition = catalogue[metric];
  if (definition.kind === "counter") return [line(name, attributes, sum)];
  let below = 0;
  const inBuckets = limits.map((bound, place) => {
    below += buckets[place] ?? 0;
    return line(`${name}_bucket`, { ...attributes, le: bound }, below);
  });
  return [
    ...inBuckets,
    line(`${name}_bucket`, { ...attributes, le: "+Inf" }, count),
    line(`${name}_sum`, attributes, sum),
    line(`${name}_count`, attributes, count),
  ];
}

function line(name: string, attributes: Attributes, value: number): string {
  const labels = Object.entries(attributes).map(
    ([label, text]) => `${label.replaceAll(".", "_")}="${escaped(String(text))}"`,
  );
  return `${name}${labels.length === 0 ? "" : `{${labels.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
