import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createMetrics } from "../../src/metrics/index.ts";
import {
  findPrometheus,
  promtool,
  type RunningPrometheus,
  startPrometheus,
} from "../servers/prometheus.ts";
import { startServer } from "../servers/server.ts";
import { startWorld } from "../worlds/world.ts";

const folder = new URL("../../../../docs/operations/", import.meta.url);
const ruleFile = fileURLToPath(new URL("prometheus-alerts.yml", folder));

interface Dashboard {
  readonly panels: readonly {
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const dashboard: Dashboard = JSON.parse(
  readFileSync(new URL("grafana-dashboard.json", folder), "utf8"),
);
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

const programs = findPrometheus();

describe.skipIf(programs === null)("Prometheus", async () => {
  const found = programs ?? "";
  const metrics = createMetrics();
  const world = await startWorld({
    options: { telemetry: metrics, session: { stateful: true }, streams: 10 },
  });
  const server = await startServer();
  server.serve((_request, response) => {
    response.setHeader("Content-Type", metrics.contentType);
    response.end(metrics.text());
  });
  let prometheus: RunningPrometheus;

  beforeAll(async () => {
    prometheus = await startPrometheus(found, { target: new URL(server.origin).host, ruleFile });
    const browser = world.browser();
    await browser.signIn();
    await browser.open("/private");
    await browser.open("/api/auth/logout");
    await browser.open("/api/auth/callback?code=x&state=y");
  });
  afterAll(async () => {
    await prometheus.close();
    await server.close();
  });

  test("fires each alert when it should, and only then [OP-136]", () => {
    const tests = fileURLToPath(new URL("prometheus-alerts.test.yml", folder));
    const { status, output } = promtool(found, ["test", "rules", tests]);
    expect(output).toContain("SUCCESS");
    expect(status).toBe(0);
    const rung = readFileSync(tests, "utf8");
    for (const [, name] of readFileSync(ruleFile, "utf8").matchAll(/alert: (\w+)/g)) {
      expect(rung).toMatch(new RegExp(`alertname: ${name}\\n.*\\n +exp_alerts`));
    }
  });

  test("accepts the format of the metrics without complaint [OP-131]", () => {
    expect(promtool(found, ["check", "metrics"], metrics.text())).toEqual({
      status: 0,
      output: "",
    });
  });

  test("loads every alert rule [OP-136]", async () => {
    const names = [...readFileSync(ruleFile, "utf8").matchAll(/alert: (\w+)/g)];
    expect(await prometheus.rules()).toEqual(names.map(([, name]) => name));
  });

  test.each(expressions)(
    "returns data for a panel of the dashboard: %s [OP-136]",
    async (expression) => {
      await expect
        .poll(() => prometheus.query(expression), { interval: 500 })
        .toBeInstanceOf(Array);
    },
  );

  test("finds the sign-in, its duration and the series needed by alerts [OP-136]", async () => {
    const one = (expression: string) =>
      prometheus.query(expression).then(([series]) => series?.value[1]);
    await expect.poll(() => one('latchkey_sign_in_count_total{outcome="success"}')).toBe("1");
    expect(await one('latchkey_key_open_count_total{position="unknown"}')).toBe("0");
    expect(await one("latchkey_refresh_lease_lost_count_total")).toBe("0");
    expect(await one("latchkey_stream_open")).toBe("0");
    expect(await one("max(latchkey_sign_in_duration_seconds_count)")).toBe("1");
  });
});
