import { AsyncLocalStorage } from "node:async_hooks";

import {
  context,
  type Context,
  type ContextManager,
  ROOT_CONTEXT,
  SpanKind,
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
import { afterAll, beforeAll, expect, test } from "vitest";

import { catalogue } from "../../src/metrics/catalogue.ts";
import type { AccessTokenError } from "../../src/errors/access-token-error.ts";
import { openTelemetry, type OpenTelemetryOptions } from "../../src/opentelemetry/index.ts";
import { atEnd } from "../at-end.ts";
import { startWorld, type World, type WorldSettings } from "../worlds/world.ts";

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

async function tracedWorld(
  options: OpenTelemetryOptions = {},
  { options: more, ...settings }: WorldSettings = {},
) {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spans)],
  });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  atEnd(() => meterProvider.shutdown());
  const telemetry = openTelemetry({ tracerProvider, meterProvider, ...options });
  const world: World = await startWorld({ ...settings, options: { ...more, telemetry } });
  const metrics = async () => {
    await reader.forceFlush();
    const [latest] = exporter.getMetrics().slice(-1);
    return (latest?.scopeMetrics ?? []).flatMap((scope) => scope.metrics);
  };
  return { world, metrics, spans: () => spans.getFinishedSpans(), tracerProvider };
}

test("openTelemetry() records spans for the routes of a sign-in, with the calls to provider and store below them [OP-132]", async () => {
  const { world, spans } = await tracedWorld();
  await world.browser().signIn();
  const byName = (name: string) => spans().filter((span) => span.name === name);
  const [login] = byName("latchkey login");
  const [callback] = byName("latchkey callback");
  const [token] = byName("latchkey provider token");
  const succeeded = { "latchkey.outcome": "success", "latchkey.mode": "cookie" };
  expect(login?.attributes).toEqual(succeeded);
  expect(callback?.attributes).toEqual(succeeded);
  expect(token?.attributes).toEqual({ "http.response.status_code": 200 });
  expect(token?.parentSpanContext?.spanId).toBe(callback?.spanContext().spanId);
  expect(byName("latchkey store get").length).toBeGreaterThan(0);
});

test("openTelemetry() records spans as children of the server's span [OP-132]", async () => {
  const { world, spans, tracerProvider } = await tracedWorld();
  await tracerProvider.getTracer("server").startActiveSpan("GET", async (server) => {
    await world.auth.respond(new Request(`${world.baseURL}/api/auth/login`), () => new Response());
    server.end();
  });
  const [login] = spans().filter(({ name }) => name === "latchkey login");
  const [server] = spans().filter(({ name }) => name === "GET");
  expect(login?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
});

test("openTelemetry() writes no code, state, address, token or name into a span [OP-133]", async () => {
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

test("openTelemetry() records the reason of a rejected callback, as an error only for faults of the provider or ours [OP-132]", async () => {
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

test("openTelemetry() omits spans of calls if the app instruments its clients [OP-132]", async () => {
  const { world, spans } = await tracedWorld({ without: ["provider", "store"] });
  const browser = world.browser();
  await browser.signIn();
  // A route outside of sign-in has only the server's span.
  await browser.request("/api/auth/me");
  const names = new Set(spans().map(({ name }) => name));
  expect([...names].toSorted()).toEqual(["latchkey callback", "latchkey login", "latchkey visit"]);
});

test("openTelemetry() records a span for a session read from the store, and none for a request without a session [OP-132]", async () => {
  const { world, spans } = await tracedWorld({}, { options: { session: { stateful: true } } });
  const browser = world.browser();
  await browser.request("/");
  expect(spans()).toEqual([]);
  await browser.signIn();
  const before = spans().length;
  await browser.request("/private");
  const latest = spans().slice(before);
  const visit = latest.find(({ name }) => name === "latchkey visit");
  expect(visit).toMatchObject({
    name: "latchkey visit",
    kind: SpanKind.INTERNAL,
    attributes: { "latchkey.outcome": "live", "latchkey.mode": "store" },
  });
  const storeSpan = latest.find(({ name }) => name === "latchkey store get");
  expect(storeSpan?.kind).toBe(SpanKind.CLIENT);
  expect(storeSpan?.parentSpanContext?.spanId).toBe(visit?.spanContext().spanId);
});

/** An app whose pages need an access token, at a provider with tokens about to expire. */
const refreshing: WorldSettings = {
  provider: { lifetimes: { accessToken: 30 } },
  async app(request, auth) {
    const answer = await auth
      .of(request)
      .accessToken()
      .catch((error: AccessTokenError) => error.code);
    return new Response(answer);
  },
};

test("openTelemetry() records a span for a refresh, with the spender of the token or the reason of a failure [OP-132]", async () => {
  let asking = 0;
  let bothAsk = Promise.withResolvers<void>();
  bothAsk.resolve();
  const { world, spans } = await tracedWorld(
    {},
    {
      ...refreshing,
      async app(request, auth) {
        const answer = auth.of(request).accessToken();
        asking += 1;
        if (asking === 2) bothAsk.resolve();
        return new Response(await answer.catch((error: AccessTokenError) => error.code));
      },
      options: {
        async fetch(address, init) {
          await bothAsk.promise;
          return fetch(address, init);
        },
      },
    },
  );
  const browser = world.browser();
  await browser.signIn();
  asking = 0;
  bothAsk = Promise.withResolvers();
  await Promise.all(["/private", "/private"].map((path) => browser.request(path)));
  await world.provider.close();
  await browser.request("/private");
  const refreshes = spans().filter(({ name }) => name === "latchkey refresh");
  const results = refreshes.map(({ attributes }) => [
    attributes["latchkey.outcome"],
    attributes["latchkey.refresh.role"],
    attributes["latchkey.reason"],
  ]);
  expect(results).toContainEqual(["renewed", "owner", undefined]);
  expect(results.filter(([, role]) => role === "waiter")).not.toEqual([]);
  expect(results.at(-1)).toEqual(["transient", "owner", "provider_unreachable"]);
  expect(refreshes.at(-1)?.status.code).toBe(SpanStatusCode.ERROR);
  const [token] = spans()
    .filter(({ name }) => name === "latchkey provider token")
    .slice(-1);
  expect(token?.parentSpanContext?.spanId).toBe(refreshes.at(-1)?.spanContext().spanId);
});

test("openTelemetry() records a cancelled sign-in apart from a rejected one, and not as an error [OP-132]", async () => {
  const { world, spans } = await tracedWorld();
  const browser = world.browser();
  const { address } = await browser.untilCallback();
  const state = new URL(address).searchParams.get("state");
  await browser.request(
    `/api/auth/callback?error=access_denied&state=${state}&iss=${world.provider.issuer}`,
  );
  const [cancelled] = spans().filter(({ name }) => name === "latchkey callback");
  expect(cancelled?.attributes["latchkey.outcome"]).toBe("cancelled");
  expect(cancelled?.status.code).toBe(SpanStatusCode.UNSET);
});

test("openTelemetry() gives metrics the names and units of the catalog [OP-132]", async () => {
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

test("an app without an SDK works, and records nothing [OP-132]", async () => {
  const world = await startWorld({ options: { telemetry: openTelemetry() } });
  expect((await world.browser().signIn()).status).toBe(200);
  expect(trace.getActiveSpan()).toBeUndefined();
});

test("openTelemetry() refuses options that it does not have or cannot use", () => {
  const options = { meterProvider: {}, without: ["stores"], traceProvider: undefined };
  expect(() => openTelemetry(options as unknown as OpenTelemetryOptions)).toThrow(
    /meterProvider: must be a provider of meters[^]+without: must be a list of "provider" and "store" \(seen: \[stores\]\)[^]+traceProvider: is not an option\. Did you mean tracerProvider/,
  );
});
