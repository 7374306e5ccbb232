import { expect, test } from "vitest";

import type { LogEvent } from "../../src/telemetry/log-event.ts";
import type { Measurement } from "../../src/telemetry/telemetry.ts";
import { catalogue, type MetricName } from "../../src/metrics/catalogue.ts";
import { createMetrics } from "../../src/metrics/index.ts";
import { prometheusName } from "../../src/metrics/prometheus.ts";
import { startWorld, type WorldSettings } from "../worlds/world.ts";

async function measuredWorld(
  session: { readonly stateful?: boolean } = {},
  options: WorldSettings["options"] = {},
) {
  const metrics = createMetrics();
  const world = await startWorld({ options: { ...options, telemetry: metrics, session } });
  return { world, metrics };
}

/** Each line with a value, by its name and labels. */
function valuesIn(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const form =
  /^(?:# (?:HELP|TYPE) latchkey_\w+ .+|latchkey_\w+(?:\{\w+="[^"\n]*"(?:,\w+="[^"\n]*")*\})? -?[\d.e+-]+)$/;

test("latchkey/metrics counts a sign-in, a read of a session and a sign-out in the text format of Prometheus [OP-131]", async () => {
  const { world, metrics } = await measuredWorld({ stateful: true });
  const browser = world.browser();
  await browser.signIn();
  await browser.open("/private");
  await browser.open("/api/auth/logout");
  const text = metrics.text();
  for (const line of text.trimEnd().split("\n")) expect(line).toMatch(form);
  const values = valuesIn(text);
  expect(values.get('latchkey_sign_in_count_total{outcome="success",reason="none"}')).toBe(1);
  expect(values.get('latchkey_sign_in_duration_seconds_count{outcome="success"}')).toBe(1);
  expect(values.get('latchkey_sign_out_count_total{reason="logout",pending="false"}')).toBe(1);
  expect(
    values.get('latchkey_session_read_count_total{result="live",reason="none"}'),
  ).toBeGreaterThan(1);
  for (const endpoint of ["metadata", "keys", "token"]) {
    const labels = `endpoint="${endpoint}",http_response_status_code="200"`;
    expect(values.get(`latchkey_provider_request_duration_seconds_count{${labels}}`)).toBe(1);
  }
  expect(
    values.get('latchkey_store_operation_duration_seconds_count{store="memory",operation="get"}'),
  ).toBeGreaterThan(0);
  expect(values.get('latchkey_provider_age_seconds{document="metadata"}')).toBeGreaterThanOrEqual(
    0,
  );
  expect(values.get("latchkey_store_state")).toBe(0);
  expect(
    [...values.keys()].some((key) =>
      /key_open_count_total\{key="[\w-]{8}",position="first"/.test(key),
    ),
  ).toBe(true);
});

test("latchkey/metrics counts rejected and cancelled sign-ins by reason [OP-131]", async () => {
  const { world, metrics } = await measuredWorld();
  const browser = world.browser();
  await browser.open("/api/auth/callback?code=x&state=y");
  const { address } = await browser.untilCallback();
  const state = new URL(address).searchParams.get("state") ?? "";
  await browser.request(
    `/api/auth/callback?error=access_denied&state=${state}&iss=${world.provider.issuer}`,
  );
  const values = valuesIn(metrics.text());
  const counted = [...values.keys()].filter((name) => name.startsWith("latchkey_sign_in_count"));
  expect(counted.filter((name) => name.includes('outcome="refused"'))).toHaveLength(1);
  expect(counted.filter((name) => name.includes('outcome="cancelled"'))).toHaveLength(1);
  expect(values.get('latchkey_sign_in_duration_seconds_count{outcome="cancelled"}')).toBe(1);
});

test("latchkey/metrics counts open streams while they last, and sessions with an unknown key by this reason [OP-131]", async () => {
  const { world, metrics } = await measuredWorld({ stateful: true }, { streams: 10 });
  const browser = world.browser();
  await browser.signIn();
  const open = () => valuesIn(metrics.text()).get("latchkey_stream_open");
  expect(open()).toBe(0);
  const stream = await fetch(`${world.baseURL}/_auth/session-events`, {
    headers: { cookie: await browser.cookies(), "sec-fetch-site": "same-origin" },
  });
  expect(stream.status).toBe(200);
  expect(open()).toBe(1);
  await stream.body?.cancel();
  await expect.poll(open).toBe(0);
  const parts = [
    "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiYW5vdGhlciJ9",
    "",
    "AAAAAAAAAAAAAAAA",
  ];
  const sealed = [...parts, "AAAA", "AAAAAAAAAAAAAAAAAAAAAA"].join(".");
  await fetch(`${world.baseURL}/private`, { headers: { cookie: `appSession=${sealed}` } });
  const unknown = 'latchkey_session_read_count_total{result="none",reason="unknown-key"}';
  expect(valuesIn(metrics.text()).get(unknown)).toBe(1);
});

test("latchkey/metrics keeps the number of series independent of users, paths and cookies [OP-131]", async () => {
  const { world, metrics } = await measuredWorld();
  const ask = async (from: number) => {
    for (let count = from; count < from + 40; count += 1) {
      const kid = `kid-${count}`.padEnd(8, "x").slice(0, 8);
      const header = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256GCM", kid }));
      const sealed = `${header.toString("base64url")}..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA`;
      const headers = { cookie: `appSession=${sealed}` };
      const request = new Request(`${world.baseURL}/page-${count}`, { headers });
      await world.auth.respond(request, () => new Response("page"));
    }
    return valuesIn(metrics.text()).size;
  };
  expect(await ask(100)).toBe(await ask(500));
});

const seconds = { durationMs: 20 };

const shared = { event: "refresh", outcome: "shared", ...seconds };
const kept = { event: "token-revocation", token: "refresh", outcome: "failed", tries: 4 };
const pending = { event: "sign-out", reason: "device", pending: true };
const full = { of: "store-operation", store: "redis", operation: "set", fault: "oom", ...seconds };
const late = { of: "provider-request", endpoint: "token", reason: "provider_timeout", ...seconds };
const cookie = { of: "cookie-size", cookie: "session", bytes: 900 };

test.each<[Partial<Record<"event" | "measurement", object>>, string]>([
  [{ event: { event: "lease-lost" } }, "refresh_lease_lost_count_total"],
  [{ event: shared }, 'refresh_duration_seconds_count{outcome="shared"}'],
  [{ event: kept }, 'revocation_count_total{token="refresh",outcome="failed"}'],
  [{ event: pending }, 'sign_out_count_total{reason="device",pending="true"}'],
  [
    { measurement: { of: "device-proof", outcome: "refreshed" } },
    'device_proof_count_total{outcome="refreshed"}',
  ],
  [{ measurement: { of: "event-loop-blocked" } }, "event_loop_blocked_count_total"],
  [
    { measurement: full },
    'store_operation_duration_seconds_count{store="redis",operation="set",error_type="oom"}',
  ],
  [
    { measurement: late },
    'provider_request_duration_seconds_count{endpoint="token",error_type="provider_timeout"}',
  ],
  [{ measurement: cookie }, 'cookie_size_bytes_bucket{cookie="session",le="1024"}'],
])(
  "latchkey/metrics counts each event once in its series: %j [OP-131]",
  ({ event, measurement }, series) => {
    const metrics = createMetrics();
    if (event !== undefined) metrics.onEvent(event as LogEvent);
    if (measurement !== undefined) metrics.onMeasurement(measurement as Measurement);
    expect(valuesIn(metrics.text()).get(`latchkey_${series}`)).toBe(1);
  },
);

test("latchkey/metrics shows the states of store and provider as numbers, and counts pending sign-outs [OP-131]", () => {
  const metrics = createMetrics();
  const provider = { state: "down", metadataAgeMs: 90_000, keysAgeMs: null } as const;
  const more = { connections: [], openStreams: 7, warnings: [], sessionKeys: [] };
  metrics.onOpen(() => ({ store: "down", provider, pendingSignOuts: 3, ...more }));
  const values = valuesIn(metrics.text());
  const gauges = ["store_state", "provider_state", "mark_pending", "stream_open"].map((name) =>
    values.get(`latchkey_${name}`),
  );
  expect(gauges).toEqual([2, 2, 3, 7]);
  expect(values.get('latchkey_provider_age_seconds{document="metadata"}')).toBe(90);
  expect(values.has('latchkey_provider_age_seconds{document="keys"}')).toBe(false);
});

test("latchkey/metrics includes every measurement since the last read, however many [OP-131]", () => {
  const metrics = createMetrics();
  const seals = (): number | undefined =>
    valuesIn(metrics.text()).get('latchkey_key_seal_count_total{key="one"}');
  let sealed = 0;
  for (const count of [1, 499, 500, 1201]) {
    for (let more = 0; more < count; more += 1)
      metrics.onMeasurement({ of: "key-seal", key: "one" });
    expect(seals()).toBe((sealed += count));
  }
});

test("latchkey/metrics gives every metric its own name", () => {
  const names = Object.keys(catalogue).map((name) => prometheusName(name as MetricName));
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain("latchkey_refresh_lease_lost_count_total");
});
