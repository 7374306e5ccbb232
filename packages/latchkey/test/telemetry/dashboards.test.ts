import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { catalogue, type MetricDefinition, type MetricName } from "../../src/metrics/catalogue.ts";
import { createRegistry, prometheusName } from "../../src/metrics/prometheus.ts";
import { gaugesOf, recordEvent, recordMeasurement } from "../../src/metrics/record.ts";
import type { Status } from "../../src/telemetry/telemetry.ts";

const folder = new URL("../../../../docs/operations/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");

interface Dashboard {
  readonly uid: string;
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string }[];
  };
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly datasource: { readonly type: string; readonly uid: string };
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number };
    readonly targets: readonly { readonly refId: string; readonly expr: string }[];
  }[];
}

const dashboard: Dashboard = JSON.parse(read("grafana-dashboard.json"));
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

interface AlertRules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

const rules: AlertRules = parse(read("prometheus-alerts.yml"));
const alerts = rules.groups.flatMap((group) => group.rules);

const storeOperation = { store: "other", operation: "", durationMs: 1 } as const;

const provider = { state: "up", metadataAgeMs: 0, keysAgeMs: 0 } as const;
const status: Status = {
  store: "up",
  provider,
  connections: [{ connection: "", issuer: "", ...provider }],
  pendingSignOuts: 0,
  openStreams: 0,
  warnings: [],
  sessionKeys: [],
};

/** Returns every possible series of Prometheus with its labels. */
function seriesOfCatalogue(): Map<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  const add = (metric: MetricName, more: readonly string[]) => {
    const known = labels.get(metric) ?? new Set<string>();
    for (const label of more) known.add(label.replaceAll(".", "_"));
    labels.set(metric, known);
  };
  const sink = {
    record: (metric: MetricName, attributes: object) => add(metric, Object.keys(attributes)),
  };
  recordEvent(sink, { event: "sign-in", sub: "", issuer: "", durationMs: 1 });
  recordEvent(sink, { event: "sign-out", reason: "logout" });
  recordEvent(sink, { event: "token-revocation", token: "refresh", outcome: "revoked", tries: 1 });
  recordEvent(sink, { event: "refresh", outcome: "renewed", sub: "" });
  recordMeasurement(sink, { of: "device-proof", outcome: "refreshed" });
  recordMeasurement(sink, { of: "session-read", result: "live" });
  recordMeasurement(sink, { of: "key-open", key: "", position: "first" });
  recordMeasurement(sink, { of: "key-seal", key: "" });
  recordMeasurement(sink, { of: "cookie-size", cookie: "session", bytes: 1 });
  recordMeasurement(sink, { of: "store-operation", ...storeOperation, fault: "timeout" });
  for (const end of [{ status: 200 }, { reason: "" }]) {
    recordMeasurement(sink, { of: "provider-request", endpoint: "", durationMs: 1, ...end });
  }
  for (const [metric, attributes] of gaugesOf(status)) add(metric, Object.keys(attributes));
  const series = new Map<string, ReadonlySet<string>>();
  for (const [metric, definition] of Object.entries<MetricDefinition>(catalogue)) {
    const name = prometheusName(metric as MetricName);
    const known = labels.get(metric) ?? new Set();
    if (definition.kind !== "histogram") series.set(name, known);
    else {
      for (const end of ["_count", "_sum"]) series.set(name + end, known);
      series.set(`${name}_bucket`, new Set([...known, "le"]));
    }
  }
  return series;
}

const series = seriesOfCatalogue();
/** Given by Prometheus itself. */
const targetLabels = ["instance"];

describe.each([
  ["dashboard", expressions],
  ["alert rules", alerts.map(({ expr }) => expr)],
])("the %s [OP-136]", (_, all) => {
  test.each(all)("uses only existing metrics and labels: %s", (expression) => {
    const names = expression.match(/latchkey_\w+/g) ?? [];
    expect(names).not.toEqual([]);
    const labels = new Set(targetLabels);
    for (const name of names) {
      expect([...series.keys()]).toContain(name);
      for (const label of series.get(name) ?? []) labels.add(label);
    }
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
      list.split(", "),
    );
    const matched = [...expression.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = ""]) => label);
    for (const label of [...grouped, ...matched]) expect([...labels]).toContain(label);
  });

  test.each(all)("has matching brackets: %s", (expression) => {
    let brackets = expression.replaceAll(/[^()[\]{}]/g, "");
    for (let before = ""; before !== brackets;) {
      before = brackets;
      brackets = brackets.replaceAll(/\(\)|\[\]|\{\}/g, "");
    }
    expect(brackets).toBe("");
  });
});

test("every panel of an imported dashboard requires a choice of Prometheus, and has its own id [OP-136]", () => {
  expect(dashboard.uid).toBe("latchkey");
  expect(dashboard.templating.list).toMatchObject([{ name: "datasource", type: "datasource" }]);
  const ids = new Set(dashboard.panels.map(({ id }) => id));
  expect(ids.size).toBe(dashboard.panels.length);
  for (const { type, datasource, targets } of dashboard.panels) {
    expect(["timeseries", "stat", "table"]).toContain(type);
    expect(datasource).toEqual({ type: "prometheus", uid: "${datasource}" });
    const letters = targets.map(({ refId }) => refId);
    expect(letters).toEqual(["A", "B", "C"].slice(0, targets.length));
  }
});

test("places the panels of the dashboard without overlap [OP-136]", () => {
  const places = dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
  expect(new Set(places).size).toBe(places.length);
  for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
});

test("every required alert exists, with instructions in the guide [OP-136]", () => {
  const names = alerts.map(({ alert }) => alert);
  expect(names).toEqual(
    expect.arrayContaining([
      "LatchkeySignInsFail",
      "LatchkeyStoreDown",
      "LatchkeyProviderKeysOld",
      "LatchkeyUnknownKey",
      "LatchkeyLeaseLost",
    ]),
  );
  const guide = readFileSync(new URL("../guides/operations.md", folder), "utf8");
  for (const name of names) expect(guide).toContain(name);
});

test("every metric is on the dashboard and in the guide [OP-136]", () => {
  const guide = readFileSync(new URL("../guides/operations.md", folder), "utf8");
  for (const metric of Object.keys(catalogue)) {
    const name = prometheusName(metric as MetricName);
    expect(expressions.join("\n")).toContain(name);
    expect(guide).toContain(name);
  }
});

test("the text format escapes quotes, line breaks and backslashes in label values", () => {
  const registry = createRegistry();
  registry.record("latchkey.sign_in.count", { reason: 'a"b\\c\nd' });
  expect(registry.text([])).toContain('{reason="a\\"b\\\\c\\nd"} 1');
});
