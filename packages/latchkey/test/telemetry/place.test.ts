import { type HostileProvider, startHostileProvider } from "@latchkey/provider/hostile";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, test } from "vitest";

import { type AuditRecord, createAudit, personHash } from "../../src/audit/index.ts";
import { lookUp } from "../../src/connections/index.ts";
import { createAuth, type LogEvent, type Options } from "../../src/index.ts";
import { createMetrics } from "../../src/metrics/index.ts";
import { openTelemetry } from "../../src/opentelemetry/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { atEnd } from "../at-end.ts";
import { cookieHeader, type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { settingsAt } from "../connections/two-providers.ts";

const hosts = ["app.example", "acme.example"] as const;
const ids = ["default", "globex"] as const;
const key = "a key of the audit, long enough";

/** Warnings of the settings, which are those of all. */
const ofStart = /memory of this process|are of one site/;

type ID = (typeof ids)[number];
type Host = (typeof hosts)[number];

interface Init {
  readonly method?: string;
  readonly body?: URLSearchParams;
}

/** An app with two connections and two hosts, and everything that it reports. */
async function reportingApp(options: Partial<Options> = {}) {
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  const ofGlobex = { id: "globex-client", secret: "globex-secret" };
  const [first, second] = await Promise.all([
    startHostileProvider({ now }),
    startHostileProvider({ now, client: ofGlobex }),
  ]);
  atEnd(async () => void (await Promise.all([first.close(), second.close()])));
  const events: LogEvent[] = [];
  const lines: string[] = [];
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const metrics = createMetrics();
  const ofDefault = settingsAt(first);
  const audit = createAudit({
    write: (line) => lines.push(line),
    issuer: ofDefault.issuerBaseURL,
    client: ofDefault.clientID,
    key,
  });
  const auth = createAuth({
    baseURL: hosts.map((host) => `https://${host}`),
    ...ofDefault,
    secret: "a-secret-of-the-telemetry-tests-0123456789",
    identity: "issuer+sub",
    store: memoryStore(now),
    clock: now,
    log(event) {
      if (event.event !== "warning" || !ofStart.test(event.message)) events.push(event);
    },
    telemetry: [audit, metrics, openTelemetry({ tracerProvider })],
    session: { stateful: true },
    connections: { globex: settingsAt(second) },
    ...options,
  });

  async function open(host: string, path: string, jar: Jar = {}, init: Init = {}) {
    const headers = { cookie: cookieHeader(jar) };
    const request = new Request(`https://${host}${path}`, { ...init, headers });
    const response = await auth.respond(request, async (passed) => {
      await auth.of(passed).accessToken({ refresh: true });
      return new Response("the page");
    });
    return { response, jar: jarAfter(response.headers.getSetCookie(), jar) };
  }

  async function begin(host: string, id: string) {
    const login = await open(host, `/api/auth/login/${id}`);
    const location = login.response.headers.get("location");
    if (location === null) throw new Error(`${id} at ${host}: ${JSON.stringify(events)}`);
    const returned = await first.visit(location);
    if (returned === null) throw new Error(`${id} at ${host} sent no browser back`);
    const { pathname, search } = new URL(returned.url);
    return { jar: login.jar, callback: pathname + search };
  }

  return {
    auth,
    events,
    first,
    second,
    open,
    begin,
    async signIn(host: string, id: string): Promise<Jar> {
      const { jar, callback } = await begin(host, id);
      return (await open(host, callback, jar)).jar;
    },
    advance: (seconds: number) => void (offsetMs += seconds * 1000),
    records: () => lines.map((line): AuditRecord => JSON.parse(line)),
    spans: () => exporter.getFinishedSpans(),
    metrics: () => metrics.text(),
  };
}

type App = Awaited<ReturnType<typeof reportingApp>>;

const issuerOf = (app: App, id: ID): HostileProvider => (id === "default" ? app.first : app.second);

/** Each does one thing at a host with a connection, and says which events must follow. */
const flows: Readonly<
  Record<string, { run(app: App, host: Host, id: ID): Promise<unknown>; events: string[] }>
> = {
  "a sign-in": {
    run: (app, host, id) => app.signIn(host, id),
    events: ["sign-in"],
  },
  "a refused response": {
    async run(app, host, id) {
      const { jar, callback } = await app.begin(host, id);
      await app.open(host, callback.replace(/code=[^&]+/, "error=server_error"), jar);
    },
    events: ["refusal"],
  },
  "a response without its browser": {
    async run(app, host, id) {
      const { callback } = await app.begin(host, id);
      await app.open(host, callback);
    },
    events: ["refusal"],
  },
  "a login while the provider is down": {
    async run(app, host, id) {
      await issuerOf(app, id).close();
      await app.open(host, `/api/auth/login/${id}`);
    },
    events: ["provider-state", "refusal"],
  },
  "a logout token": {
    async run(app, host, id) {
      await app.signIn(host, id);
      app.advance(1);
      const logout_token = issuerOf(app, id).mintLogoutToken();
      const path = `/api/auth/backchannel-logout${id === "default" ? "" : `/${id}`}`;
      const body = new URLSearchParams({ logout_token });
      await app.open(host, path, {}, { method: "POST", body });
      await app.open(host, path, {}, { method: "POST", body: new URLSearchParams() });
    },
    events: ["sign-in", "sign-out", "refusal"],
  },
  "a refresh": {
    async run(app, host, id) {
      await app.open(host, "/page", await app.signIn(host, id));
    },
    events: ["sign-in", "refresh"],
  },
  "a logout": {
    async run(app, host, id) {
      await app.open(host, "/api/auth/logout", await app.signIn(host, id));
    },
    events: ["sign-in", "sign-out"],
  },
  "an idle session": {
    async run(app, host, id) {
      const jar = await app.signIn(host, id);
      app.advance(90_000);
      await app.open(host, "/page", jar);
    },
    events: ["sign-in", "sign-out"],
  },
  "a session in the place of another": {
    async run(app, host, id) {
      const jar = await app.signIn(host, id);
      const login = await app.open(host, `/api/auth/login/${id}`, jar);
      const returned = await app.first.visit(login.response.headers.get("location") ?? "");
      const { pathname, search } = new URL(returned?.url ?? "");
      await app.open(host, pathname + search, login.jar);
    },
    events: ["sign-in", "sign-out", "sign-in"],
  },
};

const places = hosts.flatMap((host) => ids.map((id) => ({ host, id })));

describe.each(places)("at $host, with the connection $id", ({ host, id }) => {
  test.each(Object.entries(flows))(
    "every report of %s names both, and the issuer [MX-101]",
    async (_, { run, events }) => {
      const app = await reportingApp();
      await run(app, host, id);
      const { issuer, client } = issuerOf(app, id);
      const happened = app.events.map(({ event }) => event);
      expect(happened.filter((name) => name !== "token-revocation")).toEqual(events);
      for (const event of app.events) {
        // Clients share the documents of a provider, so its state is that of the issuer.
        const isOfIssuer = event.event === "provider-state";
        expect(event).toMatchObject(
          isOfIssuer ? { issuer } : { connection: id, issuer, clientID: client.id, host },
        );
      }
      for (const record of app.records()) {
        expect(record).toMatchObject({ connection: id, issuer, client: client.id, host });
      }
      const people = app.records().flatMap(({ person }) => person ?? []);
      expect(
        people.every((each) => each === personHash(key, issuer, "person-of-the-hostile-provider")),
      ).toBe(true);
      const spans = app.spans().filter(({ name }) => !name.startsWith("latchkey store"));
      for (const { name, attributes } of spans) {
        const isVisit = attributes["latchkey.outcome"] === "none";
        const isCall = name.startsWith("latchkey provider");
        const names = {
          ...(!isVisit && { "latchkey.connection": id }),
          ...(!isCall && { "latchkey.host": host }),
        };
        expect({ name, ...attributes }).toMatchObject(names);
      }
    },
  );
});

test("metrics of sign-in, sessions and provider have a label for connection and host [MX-101]", async () => {
  const app = await reportingApp();
  await app.signIn("acme.example", "globex");
  const text = app.metrics();
  const place = 'connection="globex",host="acme.example"';
  expect(text).toContain(
    `latchkey_sign_in_count_total{outcome="success",reason="none",${place}} 1`,
  );
  expect(text).toMatch(
    /latchkey_provider_request_duration_seconds_count\{endpoint="token".*connection="globex"/,
  );
  expect(text).not.toMatch(
    /latchkey_provider_request_duration_seconds_count\{endpoint="token".*connection="default"/,
  );
});

test("a connection that is looked up, and a host of a star, are other in metrics, and named in logs [MX-101]", async () => {
  const app = await reportingApp();
  const baseURL = ["https://app.example", "https://*.customers.example"];
  const byID = (id: string) => (id.startsWith("customer-") ? settingsAt(app.second) : null);
  const looked = await reportingApp({
    baseURL,
    connections: lookUp({ byID, issuers: () => true }),
  });
  const host = "acme.customers.example";
  await looked.signIn(host, "customer-1");
  expect(looked.events).toMatchObject([
    { event: "sign-in", connection: "customer-1", issuer: app.second.issuer, host },
  ]);
  expect(looked.records()).toMatchObject([
    { connection: "customer-1", client: "globex-client", issuer: app.second.issuer, host },
  ]);
  expect(looked.metrics()).toContain('reason="none",connection="other",host="other"} 1');
  expect(looked.metrics()).not.toMatch(/customer-1|customers\.example/);
});

test("with more than fifty connections and hosts, those after the fiftieth share a label [MX-101]", async () => {
  const many = Array.from({ length: 60 }, (_, place) => `c${place}`);
  const app = await reportingApp({
    baseURL: many.map((each) => `https://${each}.example`),
    connections: Object.fromEntries(many.map((each) => [each, { uses: "default" }])),
  });
  for (const each of many) {
    // oxlint-disable-next-line no-await-in-loop -- one provider visits for all
    await app.signIn(`${each}.example`, each);
  }
  const series = app.metrics().match(/latchkey_sign_in_count_total\{.*host=.*/g) ?? [];
  // Of c0 to c48, beside default; c49 at its host; all others.
  expect(series).toHaveLength(51);
  expect(series.filter((each) => each.includes('connection="other"'))).toHaveLength(2);
});

test("with one connection and one host, no report names any [MX-101]", async () => {
  const app = await reportingApp({ baseURL: "https://app.example", connections: undefined });
  const { jar } = await app.open("app.example", "/api/auth/login").then(async (login) => {
    const returned = await app.first.visit(login.response.headers.get("location") ?? "");
    const { pathname, search } = new URL(returned?.url ?? "");
    return app.open("app.example", pathname + search, login.jar);
  });
  await app.open("app.example", "/page", jar);
  await app.open("app.example", "/api/auth/logout", jar);
  expect(app.events.length).toBeGreaterThan(2);
  const all = [JSON.stringify(app.events), app.metrics(), JSON.stringify(app.records())];
  for (const each of all) expect(each).not.toMatch(/connection"?[:=]|\bhost"?[:=]|clientID/);
  for (const { attributes } of app.spans()) {
    expect(Object.keys(attributes).join(" ")).not.toMatch(/connection|host/);
  }
});
