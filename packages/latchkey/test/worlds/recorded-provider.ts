import type { Config } from "../../src/config/config.ts";
import type { Settings } from "../../src/config/settings.ts";
import { type Measurement, unobserved } from "../../src/telemetry/telemetry.ts";
import { type Connection, createConnection } from "../../src/oidc/connection.ts";
import { type Members, metadataOf } from "./quick-provider.ts";
import { quietProviderDeps } from "./quiet-provider-deps.ts";
import { configOf } from "../settings.ts";

/** One call to the provider, its metadata aside. */
export interface RecordedCall {
  readonly path: string;
  readonly method: string | undefined;
  readonly headers: Headers;
  readonly form: Members;
  /** The same as it was sent: a parameter may stand there several times. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** A provider without a socket. It gives the same response to all calls, and records them. */
export interface RecordedProvider {
  readonly config: Config;
  readonly connection: Connection;
  readonly calls: readonly RecordedCall[];
  /** The endpoint names of all calls reported to telemetry. */
  readonly endpoints: readonly string[];
}

export function recordedProvider(
  respond: (call: RecordedCall) => Response,
  { settings = {}, metadata = {} }: { settings?: Partial<Settings>; metadata?: Members } = {},
): RecordedProvider {
  const config = configOf(settings);
  const calls: RecordedCall[] = [];
  const endpoints: string[] = [];
  function measure(measurement: Measurement): void {
    if (measurement.of === "provider-request") endpoints.push(measurement.endpoint);
  }
  const connection = createConnection(config.connections.default, {
    ...quietProviderDeps,
    observer: { ...unobserved, measure },
    clock: () => 1_800_000_000_000,
    async fetch(address, { method, headers, body }) {
      const path = new URL(address).pathname;
      if (path.startsWith("/.well-known/"))
        return Response.json({ ...metadataOf(config.issuerBaseURL), ...metadata });
      const pairs = body instanceof URLSearchParams ? [...body] : [];
      const form = Object.fromEntries(pairs);
      const call = { path, method, headers: new Headers(headers), form, pairs };
      calls.push(call);
      return respond(call);
    },
  });
  return { config, connection, calls, endpoints };
}
