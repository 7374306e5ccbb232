import { bounds, catalogue, type MetricDefinition, type MetricName } from "./catalogue.ts";
import type { Attributes, Sink } from "./record.ts";

/** Keeps values, and writes them as Prometheus reads them (text format 0.0.4). */
export interface Registry extends Sink {
  text(gauges: readonly (readonly [MetricName, Attributes, number])[]): string;
}

/** The series of one metric, by the values of their attributes in turn. */
interface Branch {
  series?: Series;
  readonly branches: Map<Attributes[string], Branch>;
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
  const all = new Map<MetricName, Branch>();

  /** Makes no text of the attributes: every request comes by here several times. */
  function seriesOf(metric: MetricName, attributes: Attributes): Series {
    let branch = branchOf(all, metric);
    for (const name in attributes) branch = branchOf(branch.branches, attributes[name] ?? "");
    return (branch.series ??= newSeries(metric, attributes));
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
      const counted = [...all].flatMap(([metric, branch]) => [
        ...headOf(metric),
        ...seriesIn(branch).flatMap((each) => linesOf(metric, each)),
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

function branchOf<Key>(branches: Map<Key, Branch>, key: Key): Branch {
  let branch = branches.get(key);
  if (branch === undefined) branches.set(key, (branch = { branches: new Map() }));
  return branch;
}

function seriesIn({ series, branches }: Branch): Series[] {
  return [...(series === undefined ? [] : [series]), ...[...branches.values()].flatMap(seriesIn)];
}

function newSeries(metric: MetricName, attributes: Attributes): Series {
  const limits = boundsOf(catalogue[metric]);
  return { attributes, count: 0, sum: 0, limits, buckets: limits.map(() => 0) };
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
    ([label, text]) => `${label.replaceAll(".", "_")}="${escapeLabel(String(text))}"`,
  );
  return `${name}${labels.length === 0 ? "" : `{${labels.join(",")}}`} ${value}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
