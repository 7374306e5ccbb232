import { AsyncLocalStorage } from "node:async_hooks";

import {
  context,
  type Context,
  type ContextManager,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import {
  InMemoryMetricExporter,
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { catalogue } from "../../src/metrics/catalogue.ts";
import { openTelemetry, type OpenTelemetryOptions } from "../../src/opentelemetry/index.ts";
import { startWorld, type World } from "../world.ts";

/** What an SDK for Node registers: spans know their parents across promises. */
function contextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) =>
      storage.run(active, () => work.apply(self as never, args)),
    bind: (_active, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

beforeAll(() => void context.setGlobalContextManager(contextManager()));
afterAll(() => context.disable());

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function tracedWorld(options: OpenTelemetryOptions = {}) {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spans)],
  });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const telemetry = openTelemetry({ tracerProvider, meterProvider, ...options });
  const world: World = await startWorld({ options: { telemetry } });
  closing.push(
    () => world.close(),
    () => meterProvider.shutdown(),
  );
  const metrics = async () => {
    await reader.forceFlush();
    const [latest] = exporter.getMetrics().slice(-1);
    return (latest?.scopeMetrics ?? []).flatMap((scope) => scope.metrics);
  };
  return { world, metrics, spans: () => spans.getFinishedSpans(), tracerProvider };
}

test("a sign-in makes spans of its routes, with the calls to provider and store below them [OP-132]", async () => {
  const { world, spans } = await tracedWorld();
  await world.browser().signIn();
  const byName = (name: string) => spans().filter((span) => span.name === name);
  const [login] = byName("latchkey login");
  const [callback] = byName("latchkey callback");
  const [token] = byName("latchkey provider token");
  expect(login?.attributes).toEqual({ "latchkey.outcome": "success" });
  expect(callback?.attributes).toEqual({ "latchkey.outcome": "success" });
  expect(token?.attributes).toEqual({ "http.response.status_code": 200 });
  expect(token?.parentSpanContext?.spanId).toBe(callback?.spanContext().spanId);
  expect(byName("latchkey store get").length).toBeGreaterThan(0);
});

test("spans are children of the span of the server [OP-132]", async () => {
  const { world, spans, tracerProvider } = await tracedWorld();
  await tracerProvider.getTracer("server").startActiveSpan("GET", async (server) => {
    await world.auth.respond(new Request(`${world.baseURL}/api/auth/login`), () => new Response());
    server.end();
  });
  const [login] = spans().filter(({ name }) => name === "latchkey login");
  const [server] = spans().filter(({ name }) => name === "GET");
  expect(login?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
});

test("no span holds a code, a state, an address, a token or a name [OP-133]", async () => {
  const { world, spans } = await tracedWorld();
  const browser = world.browser();
  const { address, init } = await browser.untilCallback();
  await browser.open(address, init);
  await browser.open("/api/auth/logout");
  const exported = JSON.stringify(
    spans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
  const { searchParams } = new URL(address);
  for (const secret of [
    searchParams.get("code"),
    searchParams.get("state"),
    "person-ada",
    "://",
    "example",
  ]) {
    expect(exported).not.toContain(secret ?? "?".repeat(9));
  }
});

test("a callback that is refused has its reason, and is an error only where we or the provider failed [OP-132]", async () => {
  const { world, spans } = await tracedWorld();
  const browser = world.browser();
  await browser.open("/api/auth/callback?code=x&state=y");
  const { address, init } = await browser.untilCallback();
  await world.provider.close();
  await browser.open(address, init);
  const [refused, failed] = spans().filter(({ name }) => name === "latchkey callback");
  expect(refused?.attributes).toMatchObject({
    "latchkey.outcome": "refused",
    "latchkey.reason": expect.any(String),
  });
  expect(refused?.status.code).toBe(SpanStatusCode.UNSET);
  expect(failed?.attributes).toMatchObject({ "error.type": "provider_unreachable" });
  expect(failed?.status.code).toBe(SpanStatusCode.ERROR);
});

test("spans of calls are left out where the app instruments its clients [OP-132]", async () => {
  const { world, spans } = await tracedWorld({ without: ["provider", "store"] });
  await world.browser().signIn();
  const names = new Set(spans().map(({ name }) => name));
  expect([...names].toSorted()).toEqual(["latchkey callback", "latchkey login"]);
});

test("metrics have the names and units of the catalogue [OP-132]", async () => {
  const { world, metrics } = await tracedWorld();
  await world.browser().signIn();
  const exported = await metrics();
  const names = exported.map(({ descriptor }) => descriptor.name);
  for (const name of [
    "latchkey.sign_in.count",
    "latchkey.provider.request.duration",
    "latchkey.provider.age",
  ]) {
    expect(names).toContain(name);
  }
  for (const { descriptor } of exported) {
    expect(catalogue).toHaveProperty([descriptor.name, "unit"], descriptor.unit);
  }
});

test("without an SDK everything works, and nothing is recorded [OP-132]", async () => {
  const world = await startWorld({ options: { telemetry: openTelemetry() } });
  closing.push(() => world.close());
  expect((await world.browser().signIn()).status).toBe(200);
  expect(trace.getActiveSpan()).toBeUndefined();
});
