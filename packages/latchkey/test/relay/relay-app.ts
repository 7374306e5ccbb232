/** A process with an app, whose settings are its argument. It reports what it did on request. */
import { flushCompileCache } from "node:module";

import { createAuth, type LogEvent, type Options } from "../../src/index.ts";
import { relay, type RelayOptions } from "../../src/relay/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { listenerOf, startServer } from "../servers/server.ts";
import { watchedStore } from "../watched-store.ts";

/** The settings of the process: data alone. */
export interface RelayAppSettings {
  readonly options: Omit<Options, "baseURL" | "relay">;
  /** Default: the address at which it listens. */
  readonly baseURL?: Options["baseURL"];
  readonly relay?: RelayOptions | undefined;
  /** Default: a free one. */
  readonly port?: number;
}

/** What the process has done so far. */
export interface Facts {
  /** Its calls of the provider: paths. */
  readonly calls: readonly string[];
  readonly storeOperations: number;
  readonly events: readonly LogEvent[];
}

const settings = JSON.parse(process.argv[2] ?? "") as RelayAppSettings;
const calls: string[] = [];
const events: LogEvent[] = [];
let storeOperations = 0;
let aheadMs = 0;

const server = await startServer({}, settings.port);
const auth = createAuth({
  ...settings.options,
  baseURL: settings.baseURL ?? server.origin,
  relay: settings.relay && relay(settings.relay),
  store: watchedStore(memoryStore(), () => void (storeOperations += 1)),
  clock: () => Date.now() + aheadMs,
  log: (event) => void events.push(event),
  fetch: (address, init) => {
    calls.push(new URL(address).pathname);
    return fetch(address, init);
  },
});
await auth.ready();
server.serve(
  listenerOf((request) => auth.respond(request, () => new Response("a page of the app"))),
);

process.on("message", (message: { readonly advanceMs?: number }) => {
  aheadMs += message.advanceMs ?? 0;
  const facts: Facts = { calls: [...calls], storeOperations, events: [...events] };
  process.send?.({ facts });
});
process.send?.({ origin: server.origin });
// It is killed, so it writes nothing at its end.
flushCompileCache();
